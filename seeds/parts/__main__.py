"""Write the questions that come from other seeds to corpus-parts/, one problem per file.

    python -m seeds.parts            write every file
    python -m seeds.parts --check    write nothing; exit with 1 if a file is out of date

Files of these folders that nothing writes are reported, never removed.
"""

import sys

from seeds.files import write_derived
from seeds.parts.sources import FOLDERS, derived

if __name__ == "__main__":
    texts = {seed.name: seed.text for seed in derived()}
    sys.exit(write_derived("questions", "corpus-parts", FOLDERS, texts, "seeds/parts/sources.py"))
