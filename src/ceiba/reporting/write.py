""":func:`ceiba.report`: check the arguments, make the sections, write the page."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ceiba.data.dataset import Dataset
from ceiba.errors import InvalidInputError, InvalidTypeError
from ceiba.messages import shown
from ceiba.parameters.constraints import Boolean, Real, check_value
from ceiba.plot.style import pyplot
from ceiba.reporting.blocks import Section
from ceiba.reporting.case import Case
from ceiba.reporting.clock import Clock
from ceiba.reporting.explaining import explain_first
from ceiba.reporting.page import check_jinja, rendered
from ceiba.reporting.rows import Rows, read_rows
from ceiba.reporting.sections import (
    about,
    curves,
    drift,
    effects,
    importances,
    scores,
    slices,
    table,
    thresholds,
    training,
    worst,
)
from ceiba.reporting.subject import Subject, subject_of
from ceiba.storage.atomic_write import check_target, write_file

__all__ = ["report"]

#: The sections in the order of the page, with the text of the progress bar.
_SECTIONS: tuple[tuple[str, Callable[[Case], Section | None]], ...] = (
    ("scores", scores.section),
    ("curves", curves.section),
    ("thresholds", thresholds.section),
    ("importances", importances.section),
    ("effects", effects.section),
    ("weak slices", slices.section),
    ("worst errors", worst.section),
    ("drift", drift.section),
    ("rows and columns", table.section),
    ("training", training.section),
    ("about", about.section),
)
#: With so many rows the standard error of a share is at most 0.001.
_MOST_ROWS = 250_000
_LEAST_ROWS = 500
#: Rows that are predicted to measure the time of one.
_TRIAL_ROWS = 500


def report(
    model: Any,
    X: Any,
    y: Any,
    path: str | os.PathLike[str],
    train: Any = None,
    *,
    sample_weight: Any = None,
    qid: Any = None,
    group: Any = None,
    title: str | None = None,
    time_budget: float | None = 20.0,
    progress: bool = True,
) -> Path:
    """Write a report page about a model: one HTML file that loads nothing from elsewhere.

    The page has scores with bootstrap intervals, curves, calibration, thresholds, importances, SHAP
    values, weak slices, the worst errors, drift, the columns in numbers, the training with the
    decisions of recipe ``auto``, parameters, fingerprint and versions. It needs matplotlib and
    jinja2: ``pip install 'ceiba[report]'``.

    Parameters
    ----------
    model : Model or fitted estimator
        Any model of ceiba: of all tasks, with one output or several, forests and hybrids.
    X : table or Dataset
        Rows that judge the model; best are rows that it was not trained on.
    y : array of shape (n_rows,) or (n_rows, n_outputs), or str
        Target of the rows in the form for ``fit``, or the name of its column in X. None if X is a
        Dataset.
    path : str or path
        The file to write. An existing file is replaced in one step.
    train : table, tuple (table, target) or Dataset, default=None
        The training rows. Adds the section about drift, and with a target the scores of the
        training rows. If ``y`` is the name of a column, that column of ``train`` is the target.
    sample_weight, qid, group : array, default=None
        Weights and queries of the rows. Ranking models need ``qid`` or ``group``.
    title : str, default=None
        Heading of the page. None makes one from the name of the model.
    time_budget : float, default=20.0
        Seconds that the report may take, about. Within them, it uses as many rows as it can: those
        with the smallest hash of their contents. The page says how many. None uses all rows.
    progress : bool, default=True
        Whether to show a progress bar, if stderr is a terminal and rich is installed.

    Returns
    -------
    pathlib.Path
        The path of the page.

    Raises
    ------
    InvalidInputError
        If the rows do not fit the model, or it was trained with a custom objective on classes.
    InvalidTypeError
        If ``model`` is not a model of ceiba.
    MissingDependencyError
        If matplotlib or jinja2 is not installed.
    SaveError
        If the file cannot be written.

    Examples
    --------
    >>> import ceiba
    >>> from ceiba.demo import load_heart_failure
    >>> X, y, names = load_heart_failure()
    >>> model = ceiba.CeibaClassifier(n_estimators=20).fit(X[:200], y[:200])
    >>> ceiba.report(
    ...     model, X[200:], y[200:], "report.html", train=(X[:200], y[:200])
    ... )  # doctest: +SKIP
    PosixPath('report.html')
    """
    clock = _checked(path, title, time_budget, progress)
    subject = subject_of(model)
    rows = read_rows(subject, X, y, sample_weight=sample_weight, qid=qid, group=group)
    trained = None if train is None else _read_train(subject, train, y)
    with clock.shown():
        case = _case(subject, rows, trained, clock)
        sections = _sections(case)
    heading = f"Report on {_article(subject.name)} {subject.name}" if title is None else title
    page = rendered(heading, table.task_text(case), sections)
    write_file(path, page.encode("utf-8"), "report")
    return Path(path)


def _checked(path: Any, title: Any, time_budget: Any, progress: Any) -> Clock:
    """Check the options and the installed packages; start the clock."""
    check_target(path, "report")
    check_jinja()
    pyplot()
    if time_budget is not None:
        time_budget = check_value("time_budget", Real(0.0, includes_low=False), time_budget)
    check_value("progress", Boolean(), progress)
    if title is not None and not isinstance(title, str):
        raise InvalidTypeError(f"title must be a string. Got {shown(title)}.")
    return Clock(time_budget, len(_SECTIONS) + 2, bar=progress)


def _sections(case: Case) -> list[Section]:
    found = []
    for text, make in _SECTIONS:
        case.clock.step(text)
        made = make(case)
        found += [] if made is None else [made]
    return found


def _article(name: str) -> str:
    return "an" if name[0] in "AEIO" else "a"


def _read_train(subject: Subject, train: Any, y: Any) -> Rows:
    """Read the training rows: a table, a pair of table and target, or a Dataset."""
    target = None
    if isinstance(train, tuple):
        if len(train) != 2:
            raise InvalidInputError(
                f"train must be a table or a pair (table, target). Got a tuple of {len(train)}."
            )
        train, target = train
    elif (
        isinstance(y, str) and not isinstance(train, Dataset) and y in getattr(train, "columns", [])
    ):
        target = y
    try:
        return read_rows(subject, train, target, needs_target=False)
    except (InvalidInputError, InvalidTypeError) as error:
        raise type(error)(f"train: {error}") from None


def _case(subject: Subject, rows: Rows, train: Rows | None, clock: Clock) -> Case:
    """Sample, predict and explain the rows."""
    clock.step("predictions")
    trial = rows.sampled(_TRIAL_ROWS)
    subject.predicted(trial.table)  # the first prediction prepares the model
    begin = time.perf_counter()
    subject.predicted(trial.table)
    each = (time.perf_counter() - begin) / trial.n_rows
    n_rows = clock.rows(each, 0.1, _LEAST_ROWS, _MOST_ROWS)
    if clock.seconds(1.0) == float("inf"):
        n_rows = max(rows.n_rows, 0 if train is None else train.n_rows)
    judged = rows.sampled(n_rows).predicted_by(subject)
    learned = None if train is None else train.sampled(n_rows).predicted_by(subject)
    clock.step("SHAP values")
    return Case(subject, judged, learned, clock, explain_first(subject, judged, clock), each)
