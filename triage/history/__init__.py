"""Bisection of the commits in a user's checkout of Z3, with a traced build of each tested commit."""
