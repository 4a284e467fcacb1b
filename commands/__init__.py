"""The `chcfuzz` command: one module for each subcommand, with its flags and its output; `main` joins them."""
