"""Write the seeds of this project to corpus/, one system per file.

    python seeds/generate.py            write every file
    python seeds/generate.py --check    write nothing; exit with 1 if corpus/ is out of date

Systems in corpus/ without a program are reported, never removed.
"""

import sys

import writing
from programs import PROGRAMS

if __name__ == "__main__":
    sys.exit(writing.main(PROGRAMS, "corpus", "a program in seeds/programs"))
