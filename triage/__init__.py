"""From a suspicion to a report.

A worker writes each suspicion to the spool at once and continues. Everything after that happens in other processes, and
every step begins again with the bytes of the unit, so nothing that a campaign has in its memory can influence a result.

The floors, from the first to the last: `examine` executes a suspicion again and searches witnesses; `findings` keeps
the result in a folder that a person can check without chcfuzz; `reduce` makes its problem small, with the passes of
`shrink`; `locate` searches parameters, events and releases that separate it from passing runs; `fix` and `history` try
patches and commits; `buckets` groups findings by cause, and writes reports.

Forbidden here:

- A finding without a witness. If two answers differ and no witness decides, the result is a contradiction.
- A half-written folder. `execution/files.py` writes folders and files completely or not at all, and a result is noted
  before its suspicion leaves the spool.
- A signature, a bucket or a comparison that depends on the words of a message. Classes of faults are values
  (`Verdict.fault`); only `examine/old_messages.py` reads messages, those that older versions stored.
- Trust in a stored folder. It may come from somebody else, so a record cannot choose a program (`recorded_flags`).

Odd on purpose: an examination is a process that is expected to die. It sends a message before each run, so that its
parent knows which run was fatal, starts it again without that run, and suspects the death as a finding of its own.
"""
