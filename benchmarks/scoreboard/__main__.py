"""`python -m benchmarks.scoreboard`: train the models, print the standings, write the page.

--models "ceiba,lgb"      models to train; ceiba:key=value;key=value sets parameters
--half choosing           only the tables that select the policy (or: confirming)
--no-page                 only print
"""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path

from benchmarks.scoreboard.halves import CHOOSING, CONFIRMING
from benchmarks.scoreboard.page import print_standings, write_page
from benchmarks.scoreboard.run import read_rows, run
from benchmarks.scoreboard.tables import peer_scores, scoring

RESULTS = Path(__file__).resolve().parents[1] / "results"


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.scoreboard",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--models", default="ceiba,lgb", help="models, separated by commas")
    parser.add_argument("--seeds", type=int, default=3, help="splits of each table (default 3)")
    parser.add_argument("--half", choices=("choosing", "confirming"), help="default: all tables")
    parser.add_argument("--only", default="", help="tables, separated by commas")
    parser.add_argument("--out", type=Path, default=RESULTS / "quality.json")
    parser.add_argument("--no-page", action="store_true", help="do not write docs and charts")
    given = parser.parse_args()
    warnings.filterwarnings("ignore")
    halves = {"choosing": CHOOSING, "confirming": CONFIRMING, None: (*CHOOSING, *CONFIRMING)}
    only = set(halves[given.half])
    if given.only:
        only &= set(given.only.split(","))
    run(given.out, [name for name in given.models.split(",") if name], range(given.seeds), only)
    rows = [r for r in read_rows(given.out) if r["data"] in only and r["seed"] < given.seeds]
    measured = {(r["data"], r["seed"]) for r in rows}
    ours = {r["model"] for r in rows}
    rows += [
        r for r in peer_scores() if (r["data"], r["seed"]) in measured and r["model"] not in ours
    ]
    print_standings(rows)
    if not given.no_page and len(only) == len(scoring().tables()):
        write_page(rows)


if __name__ == "__main__":
    main()
