"""Candidate fixes of the solver: patches, and traced builds with them.

The room promises that a build with a patch is the build that the full compilation would give, and that neither the
sources nor the build tree in the cache change. `patch` applies a unified diff to copies of the files; `build` compiles
the objects that include one of these copies, in an overlay that leaves all paths as they are, and links them with the
objects of the tree. `git` keeps the user's variables away from git and compilers.

Forbidden here: a patch of a generated file, which the build would overwrite, and a result that is named by anything but
the patch and its base. Trials of a fix are in `corpus_tools.fix_trial`.

Odd on purpose: the objects to compile come from Ninja's own record of headers and not from a list.
"""
