"""Write the seeds of this project for SMT solvers to corpus-smt/, one problem per file.

    python -m seeds.smt            write every file
    python -m seeds.smt --check    write nothing; exit with 1 if corpus-smt/ is out of date

Run it in the root of the repository. Problems in corpus-smt/ that no module writes are reported, never removed.
"""

import sys

from seeds import writing
from seeds.smt.problems import SEEDS

if __name__ == "__main__":
    sys.exit(writing.main(SEEDS, "corpus-smt", "a module in seeds/smt/problems"))
