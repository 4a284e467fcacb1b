"""Write the interpolation seeds that come from paths and from other corpora to corpus-itp/, one problem per file.

    python -m seeds.interpolation            write every file
    python -m seeds.interpolation --check    write nothing; exit with 1 if a file is out of date

Files of these folders that nothing writes are reported, never removed. The seeds in corpus-itp/written/ are written by
hand.
"""

import sys

from seeds.files import write_derived
from seeds.interpolation.sources import FOLDERS, derived

if __name__ == "__main__":
    texts = {seed.name: seed.text for seed in derived()}
    sys.exit(write_derived("interpolation seeds", "corpus-itp", FOLDERS, texts, "seeds/interpolation/sources.py"))
