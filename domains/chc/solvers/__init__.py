"""Spacer, Z3's other engines for Horn clauses, and the tables of Golem and Eldarica."""
