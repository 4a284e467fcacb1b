"""The contracts of parts, and the verdicts on results that break them.

The room promises that each finding names values that a person can check: our evaluator computes both sides at them,
or it computes one side and two projects find the other one unsatisfiable. A search without such values passes.

`contracts` has a contract for each part, which judges a `part_case`; `answers` has those of parts that answer sat or
unsat, `search_contracts`, `soft_constraints` and `proof_steps` those of other parts that search. `comparisons` compares
a result with the formula, `violating_values` searches for values, `part_results` reads results, `errors` judges deaths
and exceptions, and `violation_scripts` writes the evidence as SMT-LIB. `violations` names the classes by which findings
are grouped.

Forbidden here: the status of a seed, the answer of the part's own solver alone, and a choice that the question's text
does not determine. An answer that looks wrong and is documented is a row in `known_limits`, with a test, and is never
reported.

To add a contract, write a function that returns the first fault of a result, add it to the table in `contracts`, and
plant a fault in `tests/domains/parts/planted.py` that it must find.
"""
