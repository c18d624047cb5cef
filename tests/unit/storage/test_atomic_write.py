"""Files are replaced atomically: after any failure the path holds the old file or the new one."""

from __future__ import annotations

import errno
import fcntl
import os
import stat
import sys
from pathlib import Path

import pytest

from ceiba.errors import SaveError
from ceiba.storage import atomic_write
from ceiba.storage.atomic_write import write_file


def names_in(folder):
    return [path.name for path in folder.iterdir()]


def test_mode(tmp_path):
    path = tmp_path / "model.ceiba"
    before = os.umask(0o027)
    try:
        write_file(path, b"new")
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    path.chmod(0o604)
    write_file(path, b"again")
    assert stat.S_IMODE(path.stat().st_mode) == 0o604


def test_link_stays_a_link(tmp_path):
    (tmp_path / "real").mkdir()
    target, link = tmp_path / "real" / "model.ceiba", tmp_path / "link.ceiba"
    link.symlink_to(target)
    write_file(link, b"through a link to nothing")
    write_file(link, b"through a link")
    assert link.is_symlink()
    assert target.read_bytes() == b"through a link"
    assert names_in(tmp_path / "real") == ["model.ceiba"]
    link.unlink()
    link.symlink_to(link)
    with pytest.raises(SaveError):
        write_file(link, b"in a circle")


def fail(*args):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize("call", ["write", "fsync", "replace", "fchmod"])
def test_a_failure_leaves_the_old_file(tmp_path, monkeypatch, call):
    path = tmp_path / "model.ceiba"
    path.write_bytes(b"old")
    monkeypatch.setattr(atomic_write.os, call, fail)
    with pytest.raises(SaveError, match="No space left"):
        write_file(path, b"new")
    monkeypatch.undo()
    assert path.read_bytes() == b"old"
    assert names_in(tmp_path) == ["model.ceiba"]


def test_an_interrupt_leaves_the_old_file(tmp_path, monkeypatch):
    def interrupt(*args):
        raise KeyboardInterrupt

    path = tmp_path / "model.ceiba"
    path.write_bytes(b"old")
    monkeypatch.setattr(atomic_write.os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_file(path, b"new")
    monkeypatch.undo()
    assert path.read_bytes() == b"old"
    assert names_in(tmp_path) == ["model.ceiba"]


def test_short_writes_are_continued(tmp_path, monkeypatch):
    plain = os.write
    monkeypatch.setattr(atomic_write.os, "write", lambda fd, part: plain(fd, bytes(part[:7])))
    write_file(tmp_path / "model.ceiba", bytes(range(100)))
    assert (tmp_path / "model.ceiba").read_bytes() == bytes(range(100))


def test_only_ordinary_files_are_replaced(tmp_path):
    pipe, link = tmp_path / "pipe", tmp_path / "link"
    os.mkfifo(pipe)
    link.symlink_to(pipe)
    for path in (pipe, link):
        with pytest.raises(SaveError, match=r"regular file.*is a named pipe"):
            write_file(path, b"new")
    with pytest.raises(SaveError, match="is a folder"):
        write_file(tmp_path, b"new")
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert sorted(names_in(tmp_path)) == ["link", "pipe"]


def test_a_link_to_itself_is_not_replaced(tmp_path):
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    with pytest.raises(SaveError, match="symbolic link to itself"):
        write_file(loop, b"new")
    assert loop.is_symlink()


def test_a_name_that_no_file_can_have():
    with pytest.raises(SaveError, match="name of a file"):
        write_file("a\0b", b"new")


def test_leftovers_of_killed_processes_are_removed(tmp_path):
    path = tmp_path / "model.ceiba"
    leftover, descriptor = atomic_write._make_temporary(str(path))
    other, other_descriptor = atomic_write._make_temporary(str(tmp_path / "other.ceiba"))
    os.close(other_descriptor)
    write_file(path, b"new")  # the first is in the work of a process that lives
    assert sorted(names_in(tmp_path)) == sorted(
        [Path(leftover).name, Path(other).name, "model.ceiba"]
    )
    os.close(descriptor)
    write_file(path, b"newer")
    assert sorted(names_in(tmp_path)) == sorted([Path(other).name, "model.ceiba"])
    write_file(tmp_path / "other.ceiba", b"new")
    assert sorted(names_in(tmp_path)) == ["model.ceiba", "other.ceiba"]


def test_a_file_taken_for_a_leftover_is_made_again(tmp_path, monkeypatch):
    plain, taken = fcntl.flock, []

    def late(descriptor, how):
        if not taken:
            taken.extend(names_in(tmp_path))
            (tmp_path / taken[0]).unlink()
        plain(descriptor, how)

    monkeypatch.setattr(fcntl, "flock", late)
    write_file(tmp_path / "model.ceiba", b"new")
    assert taken
    assert (tmp_path / "model.ceiba").read_bytes() == b"new"


def test_a_file_system_without_locks(tmp_path, monkeypatch):
    def refuse(descriptor, how):
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(fcntl, "flock", refuse)
    leftover, descriptor = atomic_write._make_temporary(str(tmp_path / "model.ceiba"))
    os.close(descriptor)
    write_file(tmp_path / "model.ceiba", b"new")
    assert sorted(names_in(tmp_path)) == sorted([Path(leftover).name, "model.ceiba"])


@pytest.fixture
def other_system(monkeypatch):
    """A system without ``fchmod`` and ``flock`` that cannot rename or remove open files."""
    opened, plain_open, plain_close = {}, os.open, os.close

    def open_file(path, *args):
        descriptor = plain_open(path, *args)
        opened[descriptor] = os.fspath(path)
        return descriptor

    def close(descriptor):
        opened.pop(descriptor)
        plain_close(descriptor)

    def unless_open(action):
        def act(path, *more):
            if path in opened.values():
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
            return action(path, *more)

        return act

    monkeypatch.setattr(atomic_write, "_RENAMES_OPEN_FILES", False)
    monkeypatch.delattr(os, "fchmod")
    monkeypatch.setitem(sys.modules, "fcntl", None)
    monkeypatch.setattr(os, "open", open_file)
    monkeypatch.setattr(os, "close", close)
    monkeypatch.setattr(os, "replace", unless_open(os.replace))
    monkeypatch.setattr(os, "unlink", unless_open(os.unlink))
    yield
    assert not opened


def test_a_system_that_renames_closed_files_only(tmp_path, other_system):
    path = tmp_path / "model.ceiba"
    write_file(path, b"old")
    path.chmod(0o604)
    write_file(path, b"new")
    assert path.read_bytes() == b"new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o604
    assert names_in(tmp_path) == ["model.ceiba"]


@pytest.mark.parametrize("call", ["write", "fsync", "replace", "chmod"])
def test_a_failure_on_such_a_system(tmp_path, monkeypatch, other_system, call):
    path = tmp_path / "model.ceiba"
    path.write_bytes(b"old")
    with monkeypatch.context() as patch:
        patch.setattr(atomic_write.os, call, fail)
        with pytest.raises(SaveError, match="No space left"):
            write_file(path, b"new")
    assert path.read_bytes() == b"old"
    assert names_in(tmp_path) == ["model.ceiba"]


def test_newlines_stay_as_they_are(tmp_path, monkeypatch):
    binary, seen, plain = 1 << 24, [], os.open

    def open_file(path, flags, *mode):
        seen.append(flags & binary)
        return plain(path, flags & ~binary, *mode)

    monkeypatch.setattr(atomic_write, "_OPEN_FLAGS", atomic_write._OPEN_FLAGS | binary)
    monkeypatch.setattr(os, "open", open_file)
    write_file(tmp_path / "model.ceiba", b"a\nb")
    assert seen[0] == binary
