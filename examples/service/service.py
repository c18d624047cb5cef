"""A prediction service for a saved model of ceiba.

    MODEL=model.ceiba uvicorn service:app

1. The model is loaded once, when the process starts. A damaged file stops the start.
2. The columns of the model become the fields of a request, so that a wrong request is answered
   with the name of each wrong field before the model sees it.
3. A model is immutable: any number of requests may use it at the same time. One row takes
   microseconds and is predicted on the event loop; batches run in threads, without the GIL.
"""

import os
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Annotated, Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StrictBool,
    StrictStr,
    create_model,
)

import ceiba

LONGEST_BATCH = 10_000


#: Python's JSON reader accepts NaN and Infinity; clients write null for a missing value.
Number = Annotated[float, Field(strict=True, allow_inf_nan=False)]


def text_only(value: Any) -> Any:
    """Refuse numbers, which pydantic would read as seconds since 1970."""
    if value is not None and not isinstance(value, str):
        raise ValueError("Input should be text in the form of ISO 8601, such as 2024-05-31")
    return value


Date = Annotated[datetime, BeforeValidator(text_only)]
Duration = Annotated[timedelta, BeforeValidator(text_only)]


def row_type(model: ceiba.Model) -> type[BaseModel]:
    """Return the type of a row: one field per column, which may be null for a missing value."""
    fields: dict[str, Any] = {}
    for j, (name, kind) in enumerate(zip(model.feature_names, model.schema.kinds, strict=True)):
        types = {"numeric": Number, "date": Date, "duration": Duration}
        own = types.get(kind) or level_type(model.schema.levels_of(j))
        # A column may have any name, a field of pydantic may not: clients write the alias.
        fields[f"column_{j}"] = (own | None, Field(alias=name))
    return create_model("Row", __config__=ConfigDict(extra="forbid"), **fields)


def level_type(levels: Sequence[Any]) -> Any:
    """Return the type of the categories of a column."""
    if all(isinstance(level, bool) for level in levels):
        return StrictBool
    return StrictStr if all(isinstance(level, str) for level in levels) else Number


def create_app(path: str) -> FastAPI:
    """Return the service for the model in a file."""
    model = ceiba.load_model(path)
    fingerprint = model.fingerprint()
    Row = row_type(model)
    Batch = create_model(
        "Batch",
        __config__=ConfigDict(extra="forbid"),
        rows=(list[Row], Field(min_length=1, max_length=LONGEST_BATCH)),
    )
    app = FastAPI(title="Predictions", version=fingerprint[:12])

    @app.exception_handler(RequestValidationError)
    async def refuse(_: Request, error: RequestValidationError) -> JSONResponse:
        return JSONResponse({"errors": [described(one) for one in error.errors()]}, 422)

    @app.exception_handler(ceiba.CeibaError)
    async def refuse_rows(_: Request, error: ceiba.CeibaError) -> JSONResponse:
        # Such as a date with a time zone; the message names the column.
        return JSONResponse({"errors": [{"field": None, "message": str(error)}]}, 422)

    @app.post("/predict")
    async def predict(row: Row) -> Any:
        return answers(model, [row.model_dump(by_alias=True)])[0]

    @app.post("/predict/batch")
    def predict_batch(batch: Batch) -> Any:
        rows = [row.model_dump(by_alias=True) for row in batch.rows]
        return {"predictions": answers(model, rows)}

    @app.get("/health")
    async def health() -> dict[str, Any]:
        # A prediction of missing values shows that the model works, not only the process.
        answers(model, [dict.fromkeys(model.feature_names)])
        return {"status": "ok", "model": fingerprint, "columns": model.feature_names}

    return app


def answers(model: ceiba.Model, rows: Sequence[Mapping[str, Any]]) -> list[Any]:
    """Return the prediction of each row as plain values."""
    # A single row as a dictionary takes the fast path; one thread is enough for small batches.
    data: Any = dict(rows[0]) if len(rows) == 1 else list(rows)
    n_jobs = 1 if len(rows) < 1000 else None
    if model.objective.task not in ("binary", "multiclass"):
        return [{"prediction": value} for value in model.predict(data, n_jobs=n_jobs).tolist()]
    chances = model.predict_proba(data, n_jobs=n_jobs)
    labels = range(chances.shape[1]) if model.classes is None else model.classes.tolist()
    names = [str(label) for label in labels]
    return [
        {"class": names[k], "probabilities": dict(zip(names, own, strict=True))}
        for k, own in zip(chances.argmax(axis=1).tolist(), chances.tolist(), strict=True)
    ]


def described(error: Mapping[str, Any]) -> dict[str, Any]:
    """Return the field, the row of a batch and the message of one error of pydantic."""
    parts = [part for part in error["loc"] if part not in ("body", "rows")]
    found = {"field": None, "message": error["msg"]}
    if parts and isinstance(parts[0], int) and error["type"] != "json_invalid":
        found["row"] = parts.pop(0)
    if parts and isinstance(parts[0], str):
        found["field"] = parts[0]
    return found


if os.environ.get("MODEL"):
    app = create_app(os.environ["MODEL"])
