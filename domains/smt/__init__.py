"""SMT problems: several solvers get each problem, and their models and answers are compared.

The parameter `solver` of a recipe names the solver under test; all others are its judges. `several.py` has the part
that every domain with several solvers shares, and the interpolation domain derives from it. `witness_search.py` and
`standoff.py` decide between two answers, `campaign_solvers.py` describes the solvers of a campaign.

The room promises that a disagreement becomes a wrong answer only by a model that our own evaluator confirms, or by
several projects against one. It must never count two releases or two settings of one project as two opinions.

Verdicts name the accused solver by the parameters that put it under test (`Verdict.accuses`). This is why an
execution can have a finding about a solver that was not under test, and why a confirmed unit may differ from the
executed one.
"""
