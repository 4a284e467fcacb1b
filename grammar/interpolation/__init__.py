"""Interpolation problems: SMT problems whose assertions are in groups, with a cut for each interpolant.

The room promises that an `Interpolation` is a `Problem` in every respect, so that rows, passes and printers of SMT
problems apply to it, and that its groups are numbered without gaps.

`grouped` defines the problems and their cuts. `group_text` writes and reads the groups as attributes of assertions;
`query_scripts` reads scripts with queries of solvers (`get-interpolant`, `get-interpolants`). `splitting` makes
interpolation problems of SMT problems, and `unrolling` makes them of CHC systems. `cuts_as_horn` states the search for
interpolants as a CHC system, and `bridge` states SMT problems as CHC systems and back.

Forbidden here:

- A group without assertions, or a parent with a lower number than its child; `Interpolation` renumbers in
  `__post_init__`, and code that computes with group numbers across a change of assertions is wrong.
- A symbol that is counted as shared because its name occurs, instead of the function: `Symbol` is a function or a sort.

To add a form of queries, add it to `query_scripts` with a test that the same problem results from each form.

Odd on purpose: axioms (group -1) belong to both sides of each cut, so that interpolants may use their symbols. The
parents of a sequence are empty, although a path is a tree: most solvers read a sequence, and few read a tree.
"""
