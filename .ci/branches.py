"""Fails if too few branches are covered; coverage's own gate counts lines and branches together."""

import json
import sys
import tomllib
from pathlib import Path

totals = json.loads(Path(sys.argv[1]).read_text())["totals"]
needed = tomllib.loads(Path("pyproject.toml").read_text())["tool"]["coverage"]["report"]
share = 100 * totals["covered_branches"] / totals["num_branches"]
verdict = f"{share:.1f} % of branches are covered; {needed['fail_under']} % are needed"
print(verdict)
sys.exit(share < needed["fail_under"])
