"""
Identifies the peer of a local socket by the system's credentials.

The mode of the socket's file keeps other users out already. This check still holds if a file system
ignores modes, or somebody changed them.
"""

import ctypes
import os
import socket
import struct
from typing import Final

_LINUX_CREDENTIALS: Final = struct.Struct("3i")
"""Layout of the credentials: ids of process, user, group."""


class UnknownPeer(Exception):
    """The system does not identify the peer."""


def user_of(peer: socket.socket) -> int:
    """Return the id of the user whose process is connected. Raises UnknownPeer or OSError."""
    if hasattr(socket, "SO_PEERCRED"):
        size = _LINUX_CREDENTIALS.size
        told = peer.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, size)
        user: int = _LINUX_CREDENTIALS.unpack(told)[1]
        return user
    return _user_by_libc(peer)


def _user_by_libc(peer: socket.socket) -> int:
    """Return the user id by the C library's `getpeereid` (macOS, BSDs). Raises as `user_of`."""
    getpeereid = getattr(ctypes.CDLL(None, use_errno=True), "getpeereid", None)
    if getpeereid is None:
        raise UnknownPeer("this system does not say who is connected")
    user, group = ctypes.c_uint(), ctypes.c_uint()
    if getpeereid(peer.fileno(), ctypes.byref(user), ctypes.byref(group)) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return user.value
