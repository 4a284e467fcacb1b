"""The rows for part problems: `questions.py` changes the question, `registry.py` adds all rows for SMT problems.

The room promises that the question of a mutant makes sense: its model, if the part needs one, makes every assertion
true, and the names in it are declared. Rows for SMT problems may change the formula in any way: `registry.py` then
negates the assertions that the model falsifies.

No row promises an answer, because no verdict of this domain rests on one. A row must not return a question that its
part does not take (`PartProblem.is_askable`).

To add a row, add it to `questions.mutations`, with a case in its test.
"""
