"""Solver steps: every lemma, obligation and fact of Spacer is checked against the rules that it solves.

A solver that answers rightly may have reasoned wrongly, and the next system shows it. Spacer prints its steps in its
progress log, and at verbosity 2 the rules that it really solves, after all transforms (`spacer_output`,
`spacer_rules`). Other PDR solvers can print theirs in `text_format`. A judge in a process of its own, with the
installed Z3 and cvc5, checks a claim about each step (`worker`, `judge_worker`, `judge`, `lemma_judge`, `state_judge`):

- A lemma of P at level k follows by each rule with head P from the lemmas of level k - 1 (`frames`). One that does not
  may still be true, so only a derivation of height at most k of a fact that it excludes makes it wrong
  (`derivations`). The answer sat claims the lemma `false` of the query at all levels.
- Each state of an exact obligation leads into its parent by one rule, and each state of a fact follows from earlier
  facts by one rule (`states`). A state for which no rule does so, by two solvers, makes it wrong. An unsatisfiable
  obligation is wrong, too, because a model was projected to it (`spacer_util.cpp`). Facts are those of another run
  (`reach_facts`).

Before the first step, transforms change the rules. A run with one transform on is compared with the clauses of the file
(`transforms`): a fact that has a derivation on one side, and none on the other by a model, makes the transform wrong.

Some options end claims (`claims`). A wrong step names the component that made it (`components`), and `exposing` makes
systems that it may lead to a wrong answer on.

Three things must never happen here. A step is not wrong without a witness: without one it is `unproved`, and no
finding. The solver under test does not judge its own steps. A rule or formula that is not read with certainty is not
guessed: Z3 prints rules without the sorts of their variables, and where two choices of sorts can be read, claims about
the head of the rule are not checked.

Some oddities have reasons. An obligation that a weak model gave (`UNDEF`) is a guess that Spacer checks later, so it
claims nothing. Lemmas at all levels are inductive only together, so they are judged after the last step. Parents of
obligations are named by the number of an expression, which several predicates share; a state that leads into one of
them is enough.
"""
