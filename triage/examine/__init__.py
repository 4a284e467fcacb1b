"""Examining a suspicion in a fresh process.

The room promises that nothing of a campaign influences the result. The process gets the bytes of a unit and the flags,
and does everything again: it runs the unit several times, under other parameters, searches a witness, and determines
severity and signature (`examination`, `runs`, `finding_scope`, `signature`). Its result is a value (`conclusion`).

`suspect` makes a suspicion of a verdict, in the process that saw it; the findings folder keeps it until it has a result
(`triage/findings/suspicions.py`). `confirm` is both ends of the examining process; `messages` pass between them.

Forbidden here:

- A finding because two answers differ. A witness decides, or the result is a contradiction.
- A limit by a clock: resource counts end runs, and the clock behind them only saves the campaign from hanging.
- A run that is not announced. The parent has to know which run killed the process (`runs.Runs`).
- Reading the words of a message, except in `old_messages` for suspicions that older versions stored.

To examine a new kind of finding, give its row in `oracles/verdict.py` a `Subject`; only a new subject needs code here.

Odd on purpose: a death during an examination is expected. The process starts again without the fatal run, and the
death becomes a suspicion of its own (`further`).
"""
