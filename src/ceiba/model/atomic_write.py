"""Replace a file in one step, so that a crash never costs the old one.

The life of a new file:

1. It is made beside the target, under a name that tells the target, and locked.
2. Leftovers of the same target, from processes that were killed at this work, are removed: they are
   the ones that nobody holds the lock of.
3. It is written, flushed to the disk, and renamed: whoever looks finds the old file or the new one.
   Signals that end the process wait until then (``termination.py``).

Locks are those of POSIX (``flock``). Where a system or a file system has none, models are written
all the same, and leftovers of killed processes stay until somebody removes them.
"""

from __future__ import annotations

import errno
import hashlib
import os
import secrets
import stat

from ceiba.errors import InvalidTypeError, SaveError
from ceiba.model.termination import postponed_termination

__all__ = ["check_path", "shown", "write_file"]

#: Descriptors that a program which a child runs does not inherit, where a system has such.
_CLOSED_IN_CHILDREN = getattr(os, "O_CLOEXEC", 0)
_NOT_FILES = (
    (stat.S_ISDIR, "a folder. Give a file name in it"),
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a block device"),
)


def write_file(path: str | os.PathLike[str], data: bytes) -> None:
    """Replace the file at ``path``, or make it; on any failure what was there stays whole."""
    check_path(path)
    _check_replaceable(path)
    # A link stays a link: the file that it points to is replaced.
    target = os.path.realpath(os.fspath(path))
    folder = os.path.dirname(target)
    if not os.path.isdir(folder):
        raise SaveError(f"The folder {folder!r} does not exist. Make it first.")
    with postponed_termination():
        _replace(path, target, data)
    _flush_folder(folder)


def _replace(path: str | os.PathLike[str], target: str, data: bytes) -> None:
    """Write a temporary file and rename it to the target; remove it if anything fails."""
    temporary, descriptor = "", -1
    try:
        temporary, descriptor = _make_temporary(target)
        _remove_leftovers(target, besides=temporary)
        _write_whole(descriptor, data, like=target)
        os.replace(temporary, target)
    except BaseException as error:
        _remove(temporary)
        if isinstance(error, OSError):
            raise SaveError(
                f"The model could not be saved to {shown(path)}: {error.strerror or error}. "
                "What was there before is untouched. Free some space or choose another place."
            ) from error
        raise
    finally:
        if descriptor >= 0:
            os.close(descriptor)  # and with it the lock, which must outlast the rename


def _check_replaceable(path: str | os.PathLike[str]) -> None:
    """Refuse to replace what is there if it is anything but an ordinary file."""
    try:
        mode = os.stat(path).st_mode
    except ValueError as error:
        raise SaveError(f"{shown(path)} cannot be the name of a file: {error}.") from error
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise SaveError(f"{shown(path)} is a link that leads back to itself.") from error
        return  # there is nothing, or writing will say what is wrong
    if not stat.S_ISREG(mode):
        what = next((words for is_one, words in _NOT_FILES if is_one(mode)), "not a file")
        raise SaveError(f"A model is saved to an ordinary file. {shown(path)} is {what}.")


def _temporary_prefix(target: str) -> str:
    """Return how the names of temporary files of a target begin."""
    name = os.fsencode(os.path.basename(target))
    return f".ceiba-{hashlib.sha256(name).hexdigest()[:16]}-"


def _make_temporary(target: str) -> tuple[str, int]:
    """Make a file beside the target and lock it; return its path and descriptor."""
    while True:
        name = f"{_temporary_prefix(target)}{secrets.token_hex(8)}.tmp"
        path = os.path.join(os.path.dirname(target), name)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _CLOSED_IN_CHILDREN
        descriptor = os.open(path, flags, 0o666)
        if not _lock(descriptor, wait=True):
            return path, descriptor  # leftovers stay there
        if os.fstat(descriptor).st_nlink > 0:
            return path, descriptor
        os.close(descriptor)  # before the lock was there, someone took it for a leftover


def _remove_leftovers(target: str, besides: str) -> None:
    prefix, folder = _temporary_prefix(target), os.path.dirname(target)
    for name in os.listdir(folder):
        path = os.path.join(folder, name)
        if not name.startswith(prefix) or not name.endswith(".tmp") or path == besides:
            continue
        try:
            descriptor = os.open(path, os.O_RDONLY | _CLOSED_IN_CHILDREN)
        except OSError:
            continue  # it has been renamed or removed, or is not ours
        try:
            if _lock(descriptor, wait=False):  # otherwise somebody is writing it
                _remove(path)
        finally:
            os.close(descriptor)


def _lock(descriptor: int, *, wait: bool) -> bool:
    """Lock a file; whether it could be done."""
    try:
        import fcntl
    except ImportError:  # no POSIX system
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _write_whole(descriptor: int, data: bytes, *, like: str) -> None:
    """Fill a new file and wait until it is on the disk."""
    try:
        os.fchmod(descriptor, stat.S_IMODE(os.stat(like).st_mode))
    except FileNotFoundError:
        pass  # a new file has the mode that the user's umask gives
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]
    os.fsync(descriptor)


def _flush_folder(folder: str) -> None:
    """Make the rename itself survive a power cut, where the file system can."""
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(descriptor)
    except OSError:
        pass  # the new file is in place; some file systems cannot flush a folder
    finally:
        os.close(descriptor)


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        pass


def check_path(path: object) -> None:
    """Refuse what is no path."""
    if not isinstance(path, (str, os.PathLike)):
        raise InvalidTypeError(f"A path must be a string or a pathlib.Path. Got {path!r}.")


def shown(path: str | os.PathLike[str]) -> str:
    """Return a path as errors show it."""
    return repr(os.fspath(path))
