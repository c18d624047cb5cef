"""Trainings over shards in other processes, for tests that compare them with those in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import ceiba
from ceiba.boosting.shards.processes import ProcessExchange, ShardedDataset, Workers

__all__ = ["ShardedDataset", "Workers", "sharded_kind", "sharded_training"]


def sharded_kind(workers: Workers, made: list[ProcessExchange]) -> type[ShardedDataset]:
    """Return a kind of dataset on these workers, which notes the exchanges that it makes."""

    class Noted(ShardedDataset):
        def exchange(self, given: Any) -> ProcessExchange:
            exchange = super().exchange(given)
            made.append(exchange)
            return exchange

    Noted.workers = workers
    return Noted


@contextmanager
def sharded_training(
    workers: Workers,
) -> Iterator[tuple[Callable[..., ceiba.Model], list[ProcessExchange]]]:
    """Yield a function like ``ceiba.train`` over shards, and the exchanges that it makes."""
    made: list[ProcessExchange] = []
    kind = sharded_kind(workers, made)

    def train(params: dict[str, Any], dataset: ceiba.Dataset, **how: Any) -> ceiba.Model:
        dataset.__class__ = kind
        return ceiba.train(params, dataset, **how)

    yield train, made
    for exchange in made:
        exchange.close()
