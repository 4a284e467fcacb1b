"""Problems of this project for SMT solvers, the text of each, and the proof of its status.

`python -m seeds.smt` writes them to corpus-smt/; `python -m seeds.smt.find_witnesses` looks for the proofs.
"""
