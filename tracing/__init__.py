"""From the steps of a solver to the counters that libFuzzer reads.

The room promises that equal executions have equal traces, in each process and on each machine. libFuzzer keeps a unit
for a new counter, so a trace that depends on an address, a clock or an order of hashes would fill the corpus with
copies. Traces that a clock of the solver has cut are marked (`Trace.complete`), and `stability` counts those that
change.

The way of an execution: a source (`source`) records the events of a run; `trace` reduces them to a hash of the
sequence, and to pairs of successive events, the transitions; `libfuzzer_counters` sets counters for the answer, the
hash and the transitions. There is one source for each way to see a solver: `progress_log` for the stock package,
`traced_library` for a traced build, `output` for a command, `solver_statistics` for SMT solvers. `edges` and
`command_edges` are the counters of compiled code. `feature_rarity` counts the executions that had each transition, for
the choice of units. The other modules name lines and functions of Z3 for reports: LLVM's programs read its debug
information (`llvm`, `line_table`, `line_excerpt`), and `solver_coverage` and `solver_functions` count what was reached.

Forbidden here:

- Importing Z3, cvc5 or the code of a domain. `native/` is compiled into other programs and knows nothing of Python.
- Names of predicates, numbers of expressions and other accidents of a mutant in an event. A level of 57 and one of 58
  are the same event (`progress_log` has the classes).
- Showing libFuzzer an execution without an answer. Its counters stay zero, unless the source `traces_refusals`.

To add a source, implement `EventSource`, give it a name of its own, since outcomes are cached under it, and test that a
run in a new process has the same trace.

Odd on purpose: transitions use coarser steps than the hash. A rare transition should mean that the solver behaved in a
new way, and not that it did the usual one level deeper. The pointers of the counters never move, because libFuzzer
keeps them.
"""
