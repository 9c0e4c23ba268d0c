"""Faults of the disk in the player's language: the system tells of them in English mostly."""

import errno
from collections.abc import Callable, Mapping
from typing import Final

_KINDS: Final[Mapping[int, str]] = {
    errno.ENOENT: "fault.missing",
    errno.EACCES: "fault.permission",
    errno.EPERM: "fault.permission",
    errno.EEXIST: "fault.exists",
    errno.EISDIR: "fault.folder",
    errno.ENOTDIR: "fault.no_folder",
    errno.ENOSPC: "fault.full",
    errno.EDQUOT: "fault.full",
    # A limit on the size of files: no room either, for this one.
    errno.EFBIG: "fault.full",
    errno.EROFS: "fault.read_only",
}


def why_refused(error: OSError, say: Callable[[str], str]) -> str:
    """
    Return why the system refused something: half a sentence, without a full stop.

    Args:
        error: what was raised; an unusual one is told in the system's own words.
        say: the words of a key; both the words of commands and the client's have these.
    """
    kind = _KINDS.get(error.errno or 0)
    return say(kind) if kind is not None else error.strerror or str(error)
