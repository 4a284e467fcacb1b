"""Bisection of the commits in a user's checkout of Z3, with a traced build of each tested commit.

The room promises that the checkout is only read: `builds` clones it into the cache, with shared objects and a work tree
of its own. A search that was interrupted continues, because each verdict is written when it is known (`commits`,
`searching`). A commit that does not compile is neither good nor bad.

`reuse` and `launcher` copy objects of an older build tree whose inputs are the same. ccache shares none of them: the
precompiled header has the full path of its build tree. `launcher` runs once for each file of Z3, before the compiler,
so it imports nothing of the project.

Forbidden here: the user's variables of git (`triage.fix.git`), and a verdict by a single run. A commit is good only if
it is right on all variants of the finding (`triage.locate.finding_variants`).
"""
