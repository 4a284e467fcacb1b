"""What a well-formed CHC system is: sorts, terms, clauses, text in and out, values of ground terms."""
