"""Words for errors of the operating system, whose own messages are mostly English."""

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
    # A size limit of files: no space for this one either.
    errno.EFBIG: "fault.full",
    errno.EROFS: "fault.read_only",
}


def why_refused(error: OSError, say: Callable[[str], str]) -> str:
    """
    Return the reason of an OSError as half a sentence, without a full stop.

    Args:
        error: the error. The reason of an unusual error is the system's own message.
        say: returns the words of a key; the keys used are in the catalogs of commands and client.
    """
    kind = _KINDS.get(error.errno or 0)
    return say(kind) if kind is not None else error.strerror or str(error)
