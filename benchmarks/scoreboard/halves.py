"""Tables that select the default policy, and tables that confirm it.

The split was fixed before the first policy was tried. Within each task, families of tables (a table
and its raw form are one family) are sorted by the SHA-256 of their name and assigned in turn.
Constants and rules of the policy are selected on ``CHOOSING`` alone; ``CONFIRMING`` is scored once
for the final policy.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["CHOOSING", "CONFIRMING", "deal"]

CHOOSING = (
    "adult",
    "amazon_employee_access",
    "california_housing",
    "covertype",
    "electricity_transformer",
    "heart_failure",
    "higgs_7k",
    "house_prices",
    "house_prices_raw",
    "mq2008",
    "mushroom",
    "protein_casp",
    "software_defect",
)

CONFIRMING = (
    "bank_marketing",
    "breast_cancer",
    "car_insurance",
    "car_insurance_raw",
    "diamonds",
    "fremtpl2_freq",
    "letter",
    "lightgbm_lambdarank",
    "superconductivity",
    "telco_churn",
    "titanic",
)


def deal(tables: Iterable[tuple[str, str]]) -> tuple[list[str], list[str]]:
    """Assign tables, given as (name, task), to two halves."""
    halves: tuple[list[str], list[str]] = ([], [])
    tables = list(tables)
    for task in sorted({task for _, task in tables}):
        names = [name for name, its in tables if its == task]
        families = sorted({name.removesuffix("_raw") for name in names}, key=_digest)
        for place, family in enumerate(families):
            halves[place % 2].extend(n for n in names if n.removesuffix("_raw") == family)
    return sorted(halves[0]), sorted(halves[1])


def _digest(name: str) -> str:
    return sha256(name.encode()).hexdigest()
