"""`python -m chcfuzz.commands`: the `chcfuzz` command, where no script of that name is installed."""

import sys

from chcfuzz.commands.main import main

sys.exit(main())
