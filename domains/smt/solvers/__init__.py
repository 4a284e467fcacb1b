"""SMT solvers that are compared with each other: Z3, cvc5 and Bitwuzla from their Python packages."""
