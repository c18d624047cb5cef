"""`benchmarks` is a folder of the repository, not of the installed package: make it importable."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))
