"""Compute ratios from rounds: the fastest peer, the speed ratio and the quality."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from benchmarks.cases import Case, Target
from benchmarks.quality import METRICS, Metric
from benchmarks.runner import Measured

LEAST_LEAF_SHARE = 0.95


@dataclass(frozen=True)
class Line:
    """One line of the table: a target ratio of a case."""

    case: Case
    target: Target
    ours: str | None
    our_best: dict[str, Any]
    peer: str | None  # the fastest comparable one
    peer_best: dict[str, Any]
    best_quality_peer: str | None
    best_quality: float | None

    @property
    def metric(self) -> Metric:
        """Return the quality metric of the case."""
        return METRICS[self.case.settings.objective]

    @property
    def ratio(self) -> float | None:
        """Return the peer's result divided by ceiba's; above 1, ceiba is better."""
        if self.ours is None or self.peer is None:
            return None
        return float(self.peer_best[self.case.figure] / self.our_best[self.case.figure])

    @property
    def quality_kept(self) -> bool | None:
        """Whether ceiba's quality is within the tolerance of the fastest peer's."""
        ours, peer = self.our_best.get("quality"), self.peer_best.get("quality")
        if ours is None or peer is None:
            return None
        return self.metric.keeps_up(ours, peer)

    @property
    def reached(self) -> bool | None:
        """Whether ratio, quality and number of leaves reach their targets."""
        if self.ratio is None:
            return None
        leaves = self.our_best.get("leaf_share", 1.0) >= LEAST_LEAF_SHARE
        return self.ratio >= self.target.ratio and self.quality_kept is not False and leaves


def _counts(measured: Measured) -> bool:
    """Whether a peer grew enough leaves. Others did less work: shown, but not compared."""
    return all(r.get("leaf_share", 1.0) >= LEAST_LEAF_SHARE for r in measured.rounds)


def _fastest(
    measured: list[Measured], names: tuple[str, ...], figure: str
) -> tuple[str | None, dict[str, Any]]:
    found = [
        (entry.library, best)
        for entry in measured
        if entry.library in names and (best := entry.best(figure)) is not None and _counts(entry)
    ]
    return min(found, key=lambda pair: float(pair[1][figure]), default=(None, {}))


def judge(case: Case, measured: list[Measured]) -> list[Line]:
    """Return the lines of a case, one per target ratio."""
    # `ceiba.train` represents ceiba. The estimator does only if there is no other result.
    ours = next((e for e in measured if e.library in case.ours and e.rounds), None)
    our_best = (ours.best(case.figure) if ours else None) or {}
    metric = METRICS[case.settings.objective]
    lines = []
    for target in case.targets:
        names = target.peers or case.peers
        peer, peer_best = _fastest(measured, names, case.figure)
        qualities = [
            (entry.library, entry.rounds[0]["quality"])
            for entry in measured
            if entry.library in case.peers and entry.rounds and "quality" in entry.rounds[0]
        ]
        sign = -1 if metric.higher_is_better else 1
        best = min(qualities, key=lambda pair: sign * pair[1], default=(None, None))
        lines.append(
            Line(
                case=case,
                target=target,
                ours=ours.library if ours else None,
                our_best=our_best,
                peer=peer,
                peer_best=peer_best,
                best_quality_peer=best[0],
                best_quality=best[1],
            )
        )
    return lines
