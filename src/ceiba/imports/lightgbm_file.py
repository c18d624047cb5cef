"""The parts of a LightGBM text file: header, trees, parameters and pandas categories, as text.

Blocks of ``key=value`` lines follow one another::

    tree                      header
    version=v4
    ...
    Tree=0                    one block for each tree
    num_leaves=31
    ...
    end of trees
    parameters:
    [objective: regression]   parameters of the training
    pandas_categorical:[...]  categories of each categorical column of the table, as JSON
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ceiba.imports.raw_trees import damaged

__all__ = ["LightgbmText"]


@dataclass(frozen=True, eq=False)
class LightgbmText:
    """A file as text: header, one mapping per tree, parameters, and pandas categories (JSON)."""

    header: Mapping[str, str]
    trees: list[Mapping[str, str]]
    parameters: Mapping[str, str]
    pandas_categorical: str = "null"

    @classmethod
    def parse(cls, text: str) -> LightgbmText:
        """Split a file into its parts."""
        lines = iter(text.splitlines())
        header: dict[str, str] = {}
        trees: list[Mapping[str, str]] = []
        own: dict[str, str] = header
        for line in lines:
            key, _, value = line.partition("=")
            if key == "Tree":
                trees.append(own := {})
            elif line.startswith("end of trees"):
                break
            else:
                own[key] = value
        else:
            raise damaged("it has no line 'end of trees'")
        parameters, pandas_categorical = _parse_rest(lines)
        return cls(header, trees, parameters, pandas_categorical)


def _parse_rest(lines: Iterator[str]) -> tuple[dict[str, str], str]:
    parameters: dict[str, str] = {}
    pandas_categorical = "null"
    for line in lines:
        if line.startswith("[") and line.endswith("]"):
            key, _, value = line[1:-1].partition(": ")
            parameters[key] = value
        elif line.startswith("pandas_categorical:"):
            pandas_categorical = line.partition(":")[2]
    return parameters, pandas_categorical
