"""The example service, end to end: a process with uvicorn, concurrent requests over HTTP."""

from __future__ import annotations

import http.client
import json
import os
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import ceiba

FOLDER = Path(__file__).parents[2] / "examples" / "service"
N_CLIENTS, N_REQUESTS = 8, 25


def run(*arguments, **variables):
    """Start a Python process in the folder of the example."""
    path = os.pathsep.join(p for p in (os.environ.get("PYTHONPATH"), str(FOLDER)) if p)
    environment = {**os.environ, "PYTHONPATH": path, **variables}
    return subprocess.Popen(
        [sys.executable, *arguments],
        cwd=FOLDER,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def ask(address, method, path, body=None):
    connection = http.client.HTTPConnection(address, timeout=60)
    data = body if body is None or isinstance(body, str) else json.dumps(body)
    connection.request(method, path, data, {"Content-Type": "application/json"})
    response = connection.getresponse()
    answer = response.status, json.loads(response.read())
    connection.close()
    return answer


def row(k):
    return {
        "age": 40 + k % 50,
        "anaemia": k % 2,
        "creatinine_phosphokinase": 100.5 + k,
        "diabetes": 0,
        "ejection_fraction": 20 + k % 40,
        "high_blood_pressure": 1,
        "platelets": None,
        "serum_creatinine": 0.5 + k / 100,
        "serum_sodium": 137,
        "sex": ["man", "woman", "unknown"][k % 3],
        "smoking": None,
    }


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    path = tmp_path_factory.mktemp("service") / "model.ceiba"
    training = run("train.py", str(path))
    assert training.wait(120) == 0, training.stdout.read()
    port = free_port()
    process = run("-m", "uvicorn", "service:app", "--port", str(port), MODEL=str(path))
    address = f"127.0.0.1:{port}"
    until = time.monotonic() + 120
    while time.monotonic() < until and process.poll() is None:
        try:
            ask(address, "GET", "/health")
            break
        except OSError:
            time.sleep(0.1)
    assert process.poll() is None, process.stdout.read()
    yield SimpleNamespace(address=address, model=ceiba.load_model(path))
    process.terminate()
    process.wait(30)
    process.stdout.close()
    training.stdout.close()


def test_health(service):
    status, answer = ask(service.address, "GET", "/health")
    assert status == 200
    assert answer["model"] == service.model.fingerprint()
    assert answer["columns"] == service.model.feature_names


def test_one_row(service):
    status, answer = ask(service.address, "POST", "/predict", row(3))
    assert status == 200
    expected = service.model.predict_proba(row(3))[0].tolist()
    assert list(answer["probabilities"].values()) == expected
    assert answer["class"] == ["died", "survived"][int(np.argmax(expected))]


def test_batch(service):
    rows = [row(k) for k in range(1500)]
    status, answer = ask(service.address, "POST", "/predict/batch", {"rows": rows})
    assert status == 200
    found = [list(own["probabilities"].values()) for own in answer["predictions"]]
    assert np.array_equal(found, service.model.predict_proba(rows))


def test_concurrent_requests_get_their_own_answers(service):
    def client(number):
        connection = http.client.HTTPConnection(service.address, timeout=60)
        answers = []
        for k in range(number, number + N_REQUESTS):
            is_batch = k % 5 == 0
            body = {"rows": [row(k), row(k + 1)]} if is_batch else row(k)
            path = "/predict/batch" if is_batch else "/predict"
            headers = {"Content-Type": "application/json"}
            connection.request("POST", path, json.dumps(body), headers)
            response = connection.getresponse()
            answer = json.loads(response.read())
            assert response.status == 200
            first = answer["predictions"][0] if is_batch else answer
            answers.append((k, first["probabilities"]["died"]))
        connection.close()
        return answers

    with ThreadPoolExecutor(N_CLIENTS) as pool:
        each = list(pool.map(client, [1000 * number for number in range(N_CLIENTS)]))
    for k, chance in (pair for answers in each for pair in answers):
        assert chance == service.model.predict_proba(row(k))[0, 0]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"age": "old"}, "age"),
        ({"age": True}, "age"),
        ({"sex": 3}, "sex"),
        ({"weight": 80}, "weight"),
        ({"age": None, "platelets": [1]}, "platelets"),
    ],
)
def test_wrong_fields_are_named(service, change, field):
    status, answer = ask(service.address, "POST", "/predict", {**row(0), **change})
    assert status == 422
    assert [error["field"] for error in answer["errors"]] == [field]


def test_missing_fields_are_named(service):
    known = {name: value for name, value in row(0).items() if name != "serum_sodium"}
    status, answer = ask(service.address, "POST", "/predict", known)
    assert status == 422
    assert answer["errors"] == [{"field": "serum_sodium", "message": "Field required"}]


def test_wrong_rows_of_a_batch_are_numbered(service):
    rows = [row(0), {**row(1), "age": "old"}]
    status, answer = ask(service.address, "POST", "/predict/batch", {"rows": rows})
    assert status == 422
    (error,) = answer["errors"]
    assert (error["row"], error["field"]) == (1, "age")


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/predict", '{"age":'),
        ("/predict", "[]"),
        ("/predict", json.dumps(row(0)).replace("137", "NaN")),
        ("/predict/batch", {"rows": []}),
        ("/predict/batch", {"rows": [row(0)] * 10_001}),
        ("/predict/batch", {}),
    ],
)
def test_bad_requests(service, path, body):
    status, answer = ask(service.address, "POST", path, body)
    assert status == 422
    assert answer["errors"]
    assert ask(service.address, "GET", "/health")[0] == 200


def test_a_damaged_model_does_not_start(tmp_path):
    path = tmp_path / "model.ceiba"
    path.write_bytes(b"no model")
    process = run("-m", "uvicorn", "service:app", "--port", str(free_port()), MODEL=str(path))
    output, _ = process.communicate(timeout=120)
    assert process.returncode != 0
    assert "ModelFileError" in output


def test_types_of_columns(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    import pandas as pd
    import pydantic
    import service as example

    frame = pd.DataFrame(
        {
            "a number": [1.0, 2.0] * 20,
            "since": pd.date_range("2024-01-01", periods=40),
            "waited": pd.to_timedelta(np.arange(40), "h"),
            "code": pd.Categorical([3, 7] * 20),
            "yes": pd.Categorical([True, False] * 20),
        }
    )
    model = ceiba.CeibaRegressor(n_estimators=2).fit(frame, np.arange(40.0)).model_
    Row = example.row_type(model)
    good = {"a number": 2, "since": "2024-01-02", "waited": "PT1H", "code": 7, "yes": False}
    known = Row.model_validate(good).model_dump(by_alias=True)
    expected = model.predict(frame.iloc[1:2])[0]
    assert example.answers(model, [known]) == [{"prediction": expected}]
    empty = Row.model_validate(dict.fromkeys(good)).model_dump(by_alias=True)
    assert example.answers(model, [empty])
    assert example.answers(model, [known, known]) == example.answers(model, [known]) * 2
    for name, value in (("a number", "1"), ("since", 3), ("waited", 3), ("code", "3"), ("yes", 1)):
        with pytest.raises(pydantic.ValidationError, match=name):
            Row.model_validate({**good, name: value})
