"""The contracts of parts, and the verdicts on results that break them.

The room promises that each finding names values that a person can check: our evaluator computes both sides at them,
or it computes one side and two projects find the other one unsatisfiable. A search without such values passes.
`contracts.py` has a contract for each part, `values.py` the search for values, `results.py` reads results, and
`limits.py` has the answers that look wrong and are documented.
"""
