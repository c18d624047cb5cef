"""Replace a file atomically, so that a crash never destroys the previous one.

The life of a new file:

1. It is created beside the target, with a name that identifies the target, and locked.
2. Temporary files of the same target that nobody has locked are removed. Killed processes left
   them.
3. It is written, flushed to disk and renamed. Other processes see either the old or the new file.
   Signals that end the process wait until then (``termination.py``).

Locks use POSIX ``flock``. Without it models are saved all the same, but temporary files of killed
processes remain.
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

#: Close descriptors in child processes, if the operating system supports it.
_CLOSED_IN_CHILDREN = getattr(os, "O_CLOEXEC", 0)
_NOT_FILES = (
    (stat.S_ISDIR, "a folder. Give a file name in it"),
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a block device"),
)


def write_file(path: str | os.PathLike[str], data: bytes) -> None:
    """Create or replace the file at ``path``; on failure the previous file stays intact."""
    check_path(path)
    _check_replaceable(path)
    # A link stays a link: the file that it points to is replaced.
    target = os.path.realpath(os.fspath(path))
    folder = os.path.dirname(target)
    if not os.path.isdir(folder):
        raise SaveError(f"The folder {folder!r} does not exist. Create it first.")
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
                "A previous file is unchanged. Free some space or choose another path."
            ) from error
        raise
    finally:
        if descriptor >= 0:
            os.close(descriptor)  # releases the lock, after the rename


def _check_replaceable(path: str | os.PathLike[str]) -> None:
    """Raise SaveError if the path exists and is not a regular file."""
    try:
        mode = os.stat(path).st_mode
    except ValueError as error:
        raise SaveError(f"{shown(path)} cannot be the name of a file: {error}.") from error
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise SaveError(
                f"{shown(path)} is a symbolic link to itself. Give another path."
            ) from error
        return  # no file, or writing reports the problem
    if not stat.S_ISREG(mode):
        what = next((words for is_one, words in _NOT_FILES if is_one(mode)), "not a file")
        raise SaveError(f"A model must be saved to a regular file. {shown(path)} is {what}.")


def _temporary_prefix(target: str) -> str:
    """Return the prefix of the names of temporary files of a target."""
    name = os.fsencode(os.path.basename(target))
    return f".ceiba-{hashlib.sha256(name).hexdigest()[:16]}-"


def _make_temporary(target: str) -> tuple[str, int]:
    """Create a file beside the target and lock it; return its path and descriptor."""
    while True:
        name = f"{_temporary_prefix(target)}{secrets.token_hex(8)}.tmp"
        path = os.path.join(os.path.dirname(target), name)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _CLOSED_IN_CHILDREN
        descriptor = os.open(path, flags, 0o666)
        if not _lock(descriptor, wait=True):
            return path, descriptor  # no locks: leftovers remain
        if os.fstat(descriptor).st_nlink > 0:
            return path, descriptor
        os.close(descriptor)  # another process removed it before it was locked


def _remove_leftovers(target: str, besides: str) -> None:
    prefix, folder = _temporary_prefix(target), os.path.dirname(target)
    for name in os.listdir(folder):
        path = os.path.join(folder, name)
        if not name.startswith(prefix) or not name.endswith(".tmp") or path == besides:
            continue
        try:
            descriptor = os.open(path, os.O_RDONLY | _CLOSED_IN_CHILDREN)
        except OSError:
            continue  # renamed, removed, or of another user
        try:
            if _lock(descriptor, wait=False):  # locked files are being written
                _remove(path)
        finally:
            os.close(descriptor)


def _lock(descriptor: int, *, wait: bool) -> bool:
    """Lock a file; return whether it worked."""
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
    """Write a new file and flush it to disk."""
    try:
        os.fchmod(descriptor, stat.S_IMODE(os.stat(like).st_mode))
    except FileNotFoundError:
        pass  # a new file gets its mode from the umask
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]
    os.fsync(descriptor)


def _flush_folder(folder: str) -> None:
    """Flush the folder, so that the rename survives a power failure."""
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(descriptor)
    except OSError:
        pass  # some file systems cannot flush a folder
    finally:
        os.close(descriptor)


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        pass


def check_path(path: object) -> None:
    """Raise InvalidTypeError if the argument is not a path."""
    if not isinstance(path, (str, os.PathLike)):
        raise InvalidTypeError(f"A path must be a string or a pathlib.Path. Got {path!r}.")


def shown(path: str | os.PathLike[str]) -> str:
    """Return a path as text for error messages."""
    return repr(os.fspath(path))
