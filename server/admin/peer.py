"""
Identifies the peer of a local socket by the system's credentials.

The mode of the socket's file keeps others out already; this holds where a file system does not keep
modes, or somebody changed them.
"""

import ctypes
import os
import socket
import struct
from typing import Final

_LINUX_CREDENTIALS: Final = struct.Struct("3i")
"""Process, user, group."""


class UnknownPeer(Exception):
    """The system does not say who it is."""


def user_of(peer: socket.socket) -> int:
    """Return the id of the user whose process is connected. UnknownPeer, or OSError as usual."""
    if hasattr(socket, "SO_PEERCRED"):
        size = _LINUX_CREDENTIALS.size
        told = peer.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, size)
        user: int = _LINUX_CREDENTIALS.unpack(told)[1]
        return user
    return _user_by_libc(peer)


def _user_by_libc(peer: socket.socket) -> int:
    """Ask the C library, as on macOS and the BSDs."""
    getpeereid = getattr(ctypes.CDLL(None, use_errno=True), "getpeereid", None)
    if getpeereid is None:
        raise UnknownPeer("this system does not say who is connected")
    user, group = ctypes.c_uint(), ctypes.c_uint()
    if getpeereid(peer.fileno(), ctypes.byref(user), ctypes.byref(group)) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return user.value
