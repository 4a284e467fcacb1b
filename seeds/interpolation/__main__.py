"""Write the interpolation seeds of this project to corpus-itp/, one problem per file.

    python -m seeds.interpolation            write every file
    python -m seeds.interpolation --check    write nothing; exit with 1 if corpus-itp/ is out of date

Run it in the root of the repository. Problems in corpus-itp/ that no module writes are reported, never removed.
"""

import sys

from seeds import writing
from seeds.interpolation.sources import seeds

if __name__ == "__main__":
    sys.exit(writing.main(tuple(seeds()), "corpus-itp", "a module in seeds/interpolation"))
