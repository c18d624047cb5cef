"""Every error of ours is a CeibaError, and also what people expect."""

from __future__ import annotations

import pickle

import pytest

from ceiba import errors

EXPECTED = {
    "InvalidParameterError": ValueError,
    "UnknownAttributeError": AttributeError,
    "UnknownParameterError": TypeError,
    "InvalidInputError": ValueError,
    "InvalidTypeError": TypeError,
    "CacheError": OSError,
    "DatasetFileError": ValueError,
    "ExportError": ValueError,
    "ModelFileError": ValueError,
    "SaveError": OSError,
    "LoadError": OSError,
    "InsufficientMemoryError": MemoryError,
    "UnpicklableError": pickle.PicklingError,
    "MissingDependencyError": ImportError,
}


def test_every_error_is_listed() -> None:
    interruptions = {"TrainingInterrupted", "CrossValidationInterrupted"}
    assert set(errors.__all__) == {"CeibaError", *interruptions, *EXPECTED}


@pytest.mark.parametrize(("name", "builtin"), EXPECTED.items())
def test_derives_from_ours_and_from_a_builtin(name: str, builtin: type[Exception]) -> None:
    error = getattr(errors, name)("what is wrong")
    assert isinstance(error, errors.CeibaError)
    assert isinstance(error, builtin)
    assert str(error) == "what is wrong"


def test_an_unknown_parameter_is_also_an_invalid_one() -> None:
    assert issubclass(errors.UnknownParameterError, errors.InvalidParameterError)


def test_an_interruption_is_no_error() -> None:
    interrupted = errors.TrainingInterrupted("Training was interrupted.", "a model")
    assert isinstance(interrupted, KeyboardInterrupt)
    assert not isinstance(interrupted, Exception)
    again = pickle.loads(pickle.dumps(interrupted))
    assert (str(again), again.model) == ("Training was interrupted.", "a model")
    stopped = errors.CrossValidationInterrupted("It was interrupted.", "a table", ["a model"])
    assert isinstance(stopped, KeyboardInterrupt)
    back = pickle.loads(pickle.dumps(stopped))
    assert (str(back), back.table, back.models) == ("It was interrupted.", "a table", ["a model"])
