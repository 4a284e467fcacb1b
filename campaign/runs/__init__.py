"""Campaigns on disk: run folders and their statistics.

The room promises that a folder can be read while its campaign runs, after a kill, and by a later version. Lines of
`statistics/` are appended and never changed, so a power cut costs the last line; all other files are written whole.

`run_folder` knows the names of the files, `run_statistics` writes and reads the lines of numbers, `history` joins the
sessions of a campaign, `reached_functions` has the functions of a traced build, and `estimate` computes the part that
a campaign has not seen yet. `logs` bounds the log files.

Forbidden here: numbers that only the folder's writer can interpret. `docs/statistics.schema.json` describes each, and a
test compares it with the lines.

To add a number, add it in `run_statistics`, to the schema and to `docs/run-folder.md`; older lines lack it.

Odd on purpose: each session begins a file of its own, so that a torn line is the last one of its file, and totals begin
at zero with each session, so that a resumed campaign needs nothing from the one before it.
"""
