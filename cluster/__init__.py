"""Work on a cluster of Dask.distributed: the code behind `chcfuzz cluster`; only this room imports its packages.

A *task* runs one `chcfuzz` command in a child process and a folder of its own, on whichever worker is free. Data moves
in *packs*: files that are written once, under a name that is known before, in a *store* (a shared folder, or any other
file system of fsspec). A task that is run twice finds its pack, or loses the race for its name; so lost workers,
repeated attempts and a new coordinator never lose or count anything twice, and Dask need not remember anything.

    coordinator (`chcfuzz cluster fuzz`)        worker
      submits a slice of a lane       ────►       claims a folder, unpacks units, findings, the lane's state
                                                  child: `chcfuzz fuzz --resume`, ten minutes
                                                  findings, at once: findings/<name>.pack
      merges the pack into the exchange  ◄────    at the end: slices/<lane>-<slice>.pack
      shared/<number>.pack: new units

A *lane* is a campaign whose slices run one after another, on any worker: its policy state and its waiting suspicions
are in its latest pack. The coordinator alone reads the packs of all lanes: if each worker read those of all others, N
workers would read N * N packs.

`tasks` and `slices` are what a worker runs, in a folder that `folders` claims, under `child` and `guard`.
`coordinator` and `jobs` submit them through `pool` to the workers of `connection`; `absence` notices that none is left,
and `job_files` writes files for Slurm and Kubernetes. To spread other work, let `jobs` make it `Task`s: a command, a
pack to unpack before, and the names of its outputs.

A task must keep three promises: only the child runs a solver, because Dask gives up a task after four dead workers; all
that the child starts ends with the worker (`guard`); caches of one machine or user (`.outcomes` in SQLite, and
whatever a secret signs) stay out of packs.
"""
