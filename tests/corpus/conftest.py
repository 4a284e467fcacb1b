"""The programs around the seeds are a package in the root of the repository."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2]))
