"""Pages in temporary files: they come back, faults are named, and nothing is left behind."""

import errno
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

from ceiba.errors import CacheError
from ceiba.storage import page_cache
from ceiba.storage.page_cache import PageCache, read_ahead


def some_pages(n=30):
    rng = np.random.default_rng(0)
    return [rng.bytes(1000 * k) if k % 2 else bytes(3000 * k) for k in range(n)]


@pytest.mark.parametrize("n_folders", [1, 3])
def test_pages_come_back(tmp_path, n_folders):
    folders = [tmp_path / str(i) for i in range(n_folders)]
    for folder in folders:
        folder.mkdir()
    pages = some_pages()
    with PageCache(folders) as cache:
        places = [cache.write(memoryview(page)) for page in pages]
        assert {place.file for place in places} == set(range(n_folders))
        for n_threads in (1, 4):
            assert list(read_ahead(cache.read, places, n_threads)) == pages
        assert cache.n_bytes < sum(map(len, pages))
        assert not any(any(folder.iterdir()) for folder in folders)


def test_one_full_folder_leaves_the_others(tmp_path, monkeypatch):
    plain = os.pwrite
    with PageCache([tmp_path, tmp_path, tmp_path]) as cache:
        full = {cache._files[1].fileno()}

        def pwrite(descriptor, data, offset):
            if descriptor in full:
                plain(descriptor, data[: len(data) // 2], offset)  # a part fits
                raise OSError(errno.ENOSPC, "No space left on device")
            return plain(descriptor, data, offset)

        monkeypatch.setattr(page_cache.os, "pwrite", pwrite)
        pages = some_pages()
        places = [cache.write(memoryview(page)) for page in pages]
        assert {place.file for place in places} == {0, 2}
        assert [cache.read(place) for place in places] == pages
        full |= {file.fileno() for file in cache._files}
        with pytest.raises(CacheError, match=r"The cache is full: .* Free some space"):
            cache.write(memoryview(b"x"))


def test_a_disk_that_becomes_read_only(tmp_path, monkeypatch):
    def pwrite(descriptor, data, offset):
        raise OSError(errno.EROFS, "Read-only file system")

    with PageCache([tmp_path]) as cache:
        monkeypatch.setattr(page_cache.os, "pwrite", pwrite)
        with pytest.raises(CacheError, match="cannot be written: Read-only file system"):
            cache.write(memoryview(b"x"))


def test_lost_and_damaged_pages(tmp_path, monkeypatch):
    with PageCache([tmp_path]) as cache:
        places = [cache.write(memoryview(page)) for page in some_pages(5)]
        file, page = places[3]
        byte = os.pread(cache._files[file].fileno(), 1, page.offset)[0]
        os.pwrite(cache._files[file].fileno(), bytes([byte ^ 4]), page.offset)
        with pytest.raises(CacheError, match="returned a damaged page: its content"):
            cache.read(places[3])
        os.ftruncate(cache._files[0].fileno(), page.offset)
        for place in places[3:]:
            with pytest.raises(CacheError, match="damaged page"):
                cache.read(place)
        assert cache.read(places[2]) == some_pages(3)[2]

        def pread(*_):
            raise OSError(errno.EIO, "Input/output error")

        monkeypatch.setattr(page_cache.os, "pread", pread)
        with pytest.raises(CacheError, match="cannot be read: Input/output error"):
            cache.read(places[2])


@pytest.mark.parametrize("given", ["none", "file"])
def test_folders_that_cannot_be_used(tmp_path, given):
    (tmp_path / "file").write_text("")
    with pytest.raises(CacheError, match=f"{given}' cannot be used: .*cache_dirs"):
        PageCache([tmp_path, tmp_path / given])
    assert [file.name for file in tmp_path.iterdir()] == ["file"]


PROGRAM = """
import sys, time
from ceiba.storage.page_cache import PageCache
with PageCache([sys.argv[1]]) as cache:
    for _ in range(20):
        cache.write(memoryview(bytes(range(256)) * 400))
    print("ready", flush=True)
    time.sleep(60)
"""


@pytest.mark.parametrize("ending", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_nothing_is_left_by_a_process_that_ends(tmp_path, ending):
    command = [sys.executable, "-c", PROGRAM, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout.readline() == b"ready\n"
        process.send_signal(ending)
        assert process.wait(30) != 0
    assert not any(tmp_path.iterdir())


def test_reading_ahead_is_bounded_and_ends():
    running, most, lock = [0], [0], threading.Lock()

    def read(item):
        with lock:
            running[0] += 1
            most[0] = max(most[0], running[0])
        time.sleep(0.01)
        with lock:
            running[0] -= 1
        return item * 2

    assert list(read_ahead(read, range(20), 8, n_ahead=3)) == list(range(0, 40, 2))
    assert 1 < most[0] <= 4
    seen = read_ahead(read, range(10**9), 2)
    assert next(seen) == 0
    seen.close()

    def fail(item):
        raise CacheError("broken")

    with pytest.raises(CacheError, match="broken"):
        list(read_ahead(fail, range(5), 2))
