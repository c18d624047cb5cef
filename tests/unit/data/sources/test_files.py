"""Rows of Parquet, Arrow and CSV files."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ceiba import Dataset
from ceiba.data.sources.files import FileSource
from ceiba.data.sources.opening import open_source
from ceiba.errors import InvalidInputError


@pytest.fixture
def frame():
    rng = np.random.default_rng(0)
    return pd.DataFrame(
        {
            "x": np.where(rng.random(500) < 0.1, np.nan, np.round(rng.normal(size=500), 3)),
            "city": rng.choice(["Lima", "Oslo"], 500),
            "n": rng.integers(0, 9, 500),
        }
    )


def rows_of(source):
    batches = [pa.Table.from_batches([batch]) for batch in source.frames()]
    return pa.concat_tables(batches).to_pandas()


def write(frame, path):
    table = pa.Table.from_pandas(frame, preserve_index=False)
    if path.suffix in (".parquet", ".pq"):
        pq.write_table(table, path, row_group_size=90)
    elif path.suffix == ".csv":
        frame.to_csv(path, index=False)
    elif path.suffix == ".tsv":
        frame.to_csv(path, index=False, sep="\t")
    elif path.suffix == ".ipc":
        with pa.OSFile(str(path), "wb") as file, pa.ipc.new_stream(file, table.schema) as writer:
            writer.write_table(table, max_chunksize=90)
    else:
        with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
            writer.write_table(table, max_chunksize=90)


@pytest.mark.parametrize("ending", ["parquet", "pq", "arrow", "feather", "ipc", "csv", "tsv"])
def test_formats_patterns_and_lists(frame, tmp_path, ending):
    parts = [frame[:200], frame[200:350], frame[350:]]
    for i, part in enumerate(parts):
        write(part, tmp_path / f"part{i}.{ending}")
    paths = [tmp_path / f"part{i}.{ending}" for i in range(3)]
    for given in (paths, str(tmp_path / f"part*.{ending}"), [str(path) for path in paths]):
        source = open_source(given)
        for _ in range(2):
            pd.testing.assert_frame_equal(rows_of(source), frame, check_dtype=False)
    reverse = open_source(paths[::-1])
    assert rows_of(reverse)["x"].iloc[0] == frame["x"].iloc[350]
    dataset = Dataset.from_source(tmp_path / f"*.{ending}", "n")
    assert dataset.schema == Dataset(frame, "n").schema


def test_csv_types_follow_from_all_rows(tmp_path):
    """A column of whole numbers in the first file is one of fractions in the second."""
    (tmp_path / "a.csv").write_text("x,y\n" + "1,\n" * 30_000)
    (tmp_path / "b.csv").write_text("x,y\n1.5,one\n")
    source = open_source(str(tmp_path / "*.csv"))
    for _ in range(2):
        rows = rows_of(source)
        assert rows["x"].iloc[-1] == 1.5
        assert rows["y"].iloc[-1] == "one"
    (tmp_path / "quoted.csv.gz").write_bytes(__import__("gzip").compress(b'x,y\n1,"a,\nb"\n2,c\n'))
    assert rows_of(open_source(tmp_path / "quoted.csv.gz"))["y"].tolist() == ["a,\nb", "c"]


def test_a_file_that_changes_or_disappears(frame, tmp_path):
    for path in (tmp_path / "a.parquet", tmp_path / "b.parquet"):
        write(frame, path)
    source = open_source(str(tmp_path / "*.parquet"))
    assert len(rows_of(source)) == 1000
    write(frame[:400], tmp_path / "b.parquet")
    with pytest.raises(InvalidInputError, match=r"b.parquet' changed while it was in use"):
        rows_of(source)
    source = open_source(str(tmp_path / "*.parquet"))
    frames = source.frames()
    next(frames)
    (tmp_path / "b.parquet").unlink()
    with pytest.raises(InvalidInputError, match=r"b.parquet' cannot be read: .*No such file"):
        list(frames)


def test_a_file_that_changes_between_passes_of_a_dataset(frame, tmp_path, monkeypatch):
    path = tmp_path / "a.parquet"
    write(frame, path)
    passes = []
    plain = FileSource.frames

    def frames(self):
        passes.append(None)
        if len(passes) == 2:
            write(frame[::-1], path)
        return plain(self)

    monkeypatch.setattr(FileSource, "frames", frames)
    with pytest.raises(InvalidInputError, match=r"a.parquet' changed while it was in use"):
        Dataset.from_source(path, "n")


def test_paths_that_cannot_be_used(frame, tmp_path):
    for given, message in [
        (tmp_path / "none.parquet", "There is no file"),
        (str(tmp_path / "*.parquet"), "There is no file"),
        (tmp_path, "is a folder. Pass a pattern"),
    ]:
        with pytest.raises(InvalidInputError, match=message):
            open_source(given)
    for name in ("a.parquet", "b.csv", "c.txt"):
        write(frame, tmp_path / name) if name != "c.txt" else (tmp_path / name).write_text("")
    with pytest.raises(InvalidInputError, match="must end with"):
        open_source(tmp_path / "c.txt")
    with pytest.raises(InvalidInputError, match=r"one format. Got '.csv', '.parquet'"):
        open_source([tmp_path / "a.parquet", tmp_path / "b.csv"])


@pytest.mark.parametrize("ending", ["parquet", "arrow", "csv"])
def test_damaged_files(tmp_path, ending):
    path = tmp_path / f"a.{ending}"
    path.write_bytes(b"\xff\x00\xfe" * 50)
    with pytest.raises(InvalidInputError, match=f"a.{ending}' cannot be read: "):
        Dataset.from_source(path)
