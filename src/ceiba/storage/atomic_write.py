"""Replace a file atomically: after a crash the path holds the old file or the new one.

The life of a new file:

1. It is created and locked beside the target, under a name derived from the target's.
2. Temporary files of the same target that no process has locked are removed: a killed process left
   them.
3. It is written, flushed to the disk, and renamed to the target. Signals that end the process wait
   until then (``termination.py``).

Locks are those of POSIX (``flock``). Systems and file systems without them save models as well, but
temporary files of killed processes stay until somebody removes them. A system that cannot rename
open files (Windows) closes the temporary file first.
"""

from __future__ import annotations

import errno
import hashlib
import os
import secrets
import stat
from collections.abc import Callable

from ceiba.errors import InvalidTypeError, SaveError
from ceiba.storage.termination import postponed_termination

__all__ = ["check_path", "check_target", "replace_file", "shown", "write_file", "write_whole"]

#: Flags of every opened file: not inherited by child processes (``O_CLOEXEC``, ``O_NOINHERIT``)
#: and without translation of newlines (``O_BINARY``). A system defines those that it needs.
_OPEN_FLAGS = (
    getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOINHERIT", 0) | getattr(os, "O_BINARY", 0)
)
#: Whether a file can be renamed and removed while it is open.
_RENAMES_OPEN_FILES = os.name != "nt"
_NOT_FILES = (
    (stat.S_ISDIR, "a folder. Give a file name in it"),
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a block device"),
)


def write_file(path: str | os.PathLike[str], data: bytes, what: str = "model") -> None:
    """Replace or create the file at ``path``. After any failure the previous file is intact.

    Messages call the content ``what``.
    """
    replace_file(path, lambda descriptor: write_whole(descriptor, data), what)


def replace_file(
    path: str | os.PathLike[str], write: Callable[[int], None], what: str = "file"
) -> None:
    """Replace or create a file whose content ``write`` writes to a descriptor.

    After any failure the previous file is intact. ``what`` names the content in error messages.
    """
    check_target(path, what)
    # A link stays a link: the file that it points to is replaced.
    target = os.path.realpath(os.fspath(path))
    with postponed_termination():
        _replace(path, target, write, what)
    _flush_folder(os.path.dirname(target))


def check_target(path: str | os.PathLike[str], what: str = "model") -> None:
    """Raise unless ``path`` can be the path of a new file, or of a file to replace."""
    check_path(path)
    _check_replaceable(path, what)
    folder = os.path.dirname(os.path.realpath(os.fspath(path)))
    if not os.path.isdir(folder):
        raise SaveError(f"The folder {folder!r} does not exist. Create it first.")


def _replace(
    path: str | os.PathLike[str], target: str, write: Callable[[int], None], what: str
) -> None:
    """Write a temporary file and rename it to the target; remove it if anything fails."""
    temporary, descriptor = "", -1
    try:
        temporary, descriptor = _make_temporary(target)
        _remove_leftovers(target, besides=temporary)
        _copy_mode(descriptor, temporary, like=target)  # first: the old mode may be more private
        write(descriptor)
        os.fsync(descriptor)  # until the content is on the disk
        if not _RENAMES_OPEN_FILES:
            descriptor = _close(descriptor)
        os.replace(temporary, target)
    except BaseException as error:
        if not _RENAMES_OPEN_FILES:
            descriptor = _close(descriptor)
        _remove(temporary)
        if isinstance(error, OSError):
            raise SaveError(
                f"The {what} could not be saved to {shown(path)}: {error.strerror or error}. "
                "A previous file is unchanged. Free some space or choose another path."
            ) from error
        raise
    finally:
        _close(descriptor)  # releases the lock, which must outlast the rename


def _close(descriptor: int) -> int:
    """Close a file unless its descriptor is -1; return -1."""
    if descriptor >= 0:
        os.close(descriptor)
    return -1


def _check_replaceable(path: str | os.PathLike[str], what: str) -> None:
    """Raise ``SaveError`` if the path exists and is not a regular file."""
    try:
        mode = os.stat(path).st_mode
    except ValueError as error:
        raise SaveError(f"{shown(path)} cannot be the name of a file: {error}.") from error
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise SaveError(
                f"{shown(path)} is a symbolic link to itself. Give another path."
            ) from error
        return  # it does not exist, or writing raises the right error
    if not stat.S_ISREG(mode):
        kind = next((text for is_one, text in _NOT_FILES if is_one(mode)), "not a file")
        raise SaveError(f"A {what} must be saved to a regular file. {shown(path)} is {kind}.")


def _temporary_prefix(target: str) -> str:
    """Return the prefix of the names of a target's temporary files."""
    name = os.fsencode(os.path.basename(target))
    return f".ceiba-{hashlib.sha256(name).hexdigest()[:16]}-"


def _make_temporary(target: str) -> tuple[str, int]:
    """Create and lock a file beside the target; return its path and descriptor."""
    while True:
        name = f"{_temporary_prefix(target)}{secrets.token_hex(8)}.tmp"
        path = os.path.join(os.path.dirname(target), name)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _OPEN_FLAGS
        descriptor = os.open(path, flags, 0o666)
        if not _lock(descriptor, wait=True):
            return path, descriptor  # without locks leftovers stay
        if os.fstat(descriptor).st_nlink > 0:
            return path, descriptor
        os.close(descriptor)  # another process removed it as a leftover before it was locked


def _remove_leftovers(target: str, besides: str) -> None:
    """Remove temporary files of the target that no process has locked, except ``besides``."""
    prefix, folder = _temporary_prefix(target), os.path.dirname(target)
    for name in os.listdir(folder):
        path = os.path.join(folder, name)
        if not name.startswith(prefix) or not name.endswith(".tmp") or path == besides:
            continue
        try:
            descriptor = os.open(path, os.O_RDONLY | _OPEN_FLAGS)
        except OSError:
            continue  # renamed or removed by now, or owned by another user
        try:
            if _lock(descriptor, wait=False):  # otherwise another process is writing it
                _remove(path)
        finally:
            os.close(descriptor)


def _lock(descriptor: int, *, wait: bool) -> bool:
    """Lock a file; return whether that succeeded."""
    try:
        import fcntl
    except ImportError:  # no POSIX system
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _copy_mode(descriptor: int, path: str, *, like: str) -> None:
    """Give an open file the mode of the file that it replaces; a new one keeps the umask's."""
    try:
        mode = stat.S_IMODE(os.stat(like).st_mode)
    except FileNotFoundError:
        return
    if hasattr(os, "fchmod"):
        os.fchmod(descriptor, mode)
    else:
        os.chmod(path, mode)


def write_whole(descriptor: int, data: bytes) -> None:
    """Write all data."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def _flush_folder(folder: str) -> None:
    """Flush the rename to the disk, where the file system supports it."""
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(descriptor)
    except OSError:
        pass  # some file systems cannot flush a folder; the new file is in place
    finally:
        os.close(descriptor)


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        pass


def check_path(path: object) -> None:
    """Raise ``InvalidTypeError`` unless ``path`` is a string or a path."""
    if not isinstance(path, (str, os.PathLike)):
        raise InvalidTypeError(f"A path must be a string or a pathlib.Path. Got {path!r}.")


def shown(path: str | os.PathLike[str]) -> str:
    """Return a path as error messages show it."""
    return repr(os.fspath(path))
