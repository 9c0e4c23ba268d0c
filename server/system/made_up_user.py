"""User ids that systemd makes up for a service (`DynamicUser=`), and may give to another later."""

import os
from typing import Final

_MADE_UP: Final = range(61184, 65520)
"""The range that systemd takes them from, by its documentation."""


def made_up_user() -> int | None:
    """Return the id of this process's user if systemd made it up."""
    user = os.geteuid() if hasattr(os, "geteuid") else None
    return user if user in _MADE_UP else None
