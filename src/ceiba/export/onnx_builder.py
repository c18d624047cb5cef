"""Build an ONNX graph step by step: :class:`Graph` adds operators and names their outputs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ceiba import __version__
from ceiba.errors import MissingDependencyError

__all__ = ["ML", "Graph", "onnx"]

#: Domain of the operators for trees and categories.
ML = "ai.onnx.ml"
#: Opset of the other operators, and the version of the file format for each opset of ML.
_OPSET = 18
_IR_VERSION = {3: 8, 5: 10}


def onnx() -> Any:
    """Import onnx (lazy import)."""
    try:
        import onnx as module
    except ImportError as error:
        raise MissingDependencyError(
            "Exports to ONNX need onnx, which is not installed. Install it with: "
            "pip install 'ceiba[onnx]'"
        ) from error
    return module


class Graph:
    """Operators, constants, inputs and outputs of a graph.

    The life of a graph: ``input`` declares inputs, ``add`` appends operators and returns the names
    of their outputs, ``output`` declares outputs, ``to_bytes`` returns the file.
    """

    def __init__(self) -> None:
        self._module = onnx()
        self._nodes: list[Any] = []
        self._constants: dict[str, Any] = {}
        self._inputs: list[Any] = []
        self._outputs: list[Any] = []
        self._taken: set[str] = set()

    def input(self, name: str, dtype: str, n_columns: int) -> str:
        """Declare an input [N, n_columns]; return its name."""
        self._taken.add(name)
        kind = self._kind(dtype)
        info = self._module.helper.make_tensor_value_info(name, kind, ["N", n_columns])
        self._inputs.append(info)
        return name

    def output(self, tensor: str, name: str, dtype: str, shape: Sequence[int | str]) -> None:
        """Declare a tensor as an output."""
        for node in self._nodes:
            node.output[:] = [name if own == tensor else own for own in node.output]
            node.input[:] = [name if own == tensor else own for own in node.input]
        kind = self._kind(dtype)
        self._outputs.append(self._module.helper.make_tensor_value_info(name, kind, shape))

    def add(self, op: str, *inputs: str, domain: str = "", **attributes: Any) -> str:
        """Add an operator with one output; return the name of the output."""
        return self.add_several(op, 1, *inputs, domain=domain, **attributes)[0]

    def add_several(
        self, op: str, n_outputs: int, *inputs: str, domain: str = "", **attributes: Any
    ) -> list[str]:
        """Add an operator; return the names of its outputs."""
        outputs = [self._new(op) for _ in range(n_outputs)]
        make = self._module.helper.make_node
        self._nodes.append(make(op, list(inputs), outputs, domain=domain, **attributes))
        return outputs

    def constant(self, values: Any, dtype: str) -> str:
        """Return the name of a constant tensor."""
        array = np.asarray(values, dtype=object if dtype == "string" else dtype)
        name = self._new("constant")
        self._constants[name] = self.tensor(array, name)
        return name

    def tensor(self, values: NDArray[Any], name: str = "values") -> Any:
        """Return an array as a tensor, for attributes."""
        return self._module.numpy_helper.from_array(np.ascontiguousarray(values), name)

    def cast(self, tensor: str, dtype: str) -> str:
        """Convert a tensor to another type."""
        return self.add("Cast", tensor, to=self._kind(dtype))

    def to_bytes(self, title: str, ml_opset: int) -> bytes:
        """Return the file."""
        helper = self._module.helper
        graph = helper.make_graph(
            self._nodes, "ceiba", self._inputs, self._outputs, list(self._constants.values())
        )
        model = helper.make_model(
            graph,
            producer_name="ceiba",
            producer_version=__version__,
            doc_string=title,
            ir_version=_IR_VERSION[ml_opset],
            opset_imports=[helper.make_opsetid("", _OPSET), helper.make_opsetid(ML, ml_opset)],
        )
        self._module.checker.check_model(model)
        content: bytes = model.SerializeToString()
        return content

    def _new(self, op: str) -> str:
        name = f"{op}_{len(self._taken)}"
        while name in self._taken:
            name += "_"
        self._taken.add(name)
        return name

    def _kind(self, dtype: str) -> int:
        kinds = {"float64": "DOUBLE", "float32": "FLOAT", "int64": "INT64", "string": "STRING"}
        return int(getattr(self._module.TensorProto, kinds[dtype]))
