"""The seeds of `corpus-parts/`: questions about the satisfiable seeds of `corpus-smt/`, and small drawn ones."""
