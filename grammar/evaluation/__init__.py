"""Values, and the evaluation of ground terms by the definitions of SMT-LIB.

The room promises that a value it returns is the only one that SMT-LIB allows. Oracles confirm wrong answers with it, so
one wrong value here is one false alarm for a user. Everything else is `UNDETERMINED`: a division by zero, a selector on
another constructor, a variable without a value, a number that is too large, a quantifier over too many values.

`values` defines the values of each sort and enumerates those of small sorts. `evaluate` computes. `samples` proposes
values that are likely to settle a quantifier.

Forbidden here:

- A call of a solver, or code that is shared with one: this room is the independent witness.
- A guess. Three-valued logic is in order: `(and false x)` is false without a value of `x`.
- Work without a bound. Numbers have at most `MAX_DIGITS` digits, quantifiers `QUANTIFIER_LIMIT` assignments.
- Two different objects for equal values. Structures and models use values as keys of dictionaries.

To add an operator, give it a value in its theory, and a row with hand-made values in
`tests/grammar/evaluation/test_evaluate.py`. The tests there also compare drawn ground terms of every theory with Z3 and
cvc5, and all small values of each operator.

Odd on purpose: a value of Bool is `True` and not 1, although both are equal in Python; `Constructed` keeps the types of
its arguments in its key for this reason. An array has a normal form, in which the default of a finite index sort is the
most frequent element, because equality of arrays has to be `==`.
"""
