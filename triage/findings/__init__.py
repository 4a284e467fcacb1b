"""Findings on disk, and the queue that makes them of suspicions.

The room promises that a suspicion has exactly one result, and that a folder is complete or absent. `suspicions` adds
suspicions and settles them, `examiner` examines one and writes the result, and `confirmation_queue` chooses the next
one, and lets a thread do so beside a campaign. A worker uses `suspicions` alone.

`store` decides whether a signature has room for another finding; `folder` and `record` make the files, from the
messages of the examining process and without parsing a problem again. A unit is decoded once (`Suspicion.recipe`), in
the domain of the process, which `reexamination` changes between two suspicions.
Before a finding is kept, `reproducing` runs its text as people do, with the released program.

To add a file to the folder of a finding, add its name to `contents.FILES`, write it in `folder.files`, and extend the
sample in `tests/formats/samples/`. A field of the record needs a default, so that older records can be read.

Odd on purpose: findings beyond the limit wait in `.surplus` until they have a bucket, since two bugs can share a
signature, and `.results` has a line even for suspicions whose examination wrote nothing, because a campaign executes a
unit again whose result is lost.
"""
