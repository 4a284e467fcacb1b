"""Well-formed CHC systems and SMT problems: sorts, terms, clauses, parser, printer, and values of ground terms."""
