"""Tools that work on corpora: import, generate, minimize, compare, measure.

The room promises that a tool never damages a corpus: it reads one folder and writes another one, or renames complete
files. An interrupted import continues where it stopped, and the same input and the same random seed make the same
files.

`importer` reads public benchmarks, with the layouts of three regression suites (`suites`); `generating` draws systems
together with their witness; `minimize` keeps the cheapest units with all features (`set_cover`); `contents` counts and
exports; `coverage` counts lines of a traced build; `near_changes` finds the units that execute changed functions;
`regress` compares two solvers on a corpus, `fix_trial` and `script_trial` a build with and without a patch; `learning`
and `augmentation` train models.

Forbidden here: a status without evidence, and a comparison of times. Results that a resource limit determines repeat.

Tools that run a solver on many inputs do so in processes that it may kill: a `_worker` and its `_messages` use
`execution.worker_pool`. To add a tool, write its function here and its flags in `commands`.

Odd on purpose: in `regress`, only the process of the old solver makes mutants, because steps that apply Z3's rewriter
make other mutants with another Z3.
"""
