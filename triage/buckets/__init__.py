"""Groups of findings with the same cause, and reports on them.

The room promises that buckets depend on the set of findings and not on their order, and that a key has only traits that
the cause determines (`buckets.key_of`). A trait that was seen to vary within one cause describes a finding, and
does not divide (`traits`).

`background` reduces and sorts findings beside a campaign; `collect` does so for folders. `report` writes Markdown that
reproduces a finding on a released solver (`reported`, `cause`, `markdown`); `issue_folder` and `issue_draft` make
folders that are ready to be filed, and `queue` orders them by the rules of each project. `known_issues` recognizes
causes that are public.

Forbidden here:

- A sentence in a report that no file of the finding supports. Unknown parts are listed as unknown.
- A text of a finding as markup or as a command. `markdown` and `triage.findings.shell` quote it.
- Deleting a finding because of `buckets.json`, which may come from somebody else.

To add a trait, read it in `traits`, and put it into the key only if two findings of one cause cannot differ in it;
`bench/triage/buckets.py` measures both kinds of error.

Odd on purpose: a bucket keeps the name that most of its findings had before, even if its key changes, so that names in
reports stay valid.
"""
