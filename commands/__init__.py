"""The `chcfuzz` command: a module a sub-command, with its flags and what it prints; `main` joins them."""
