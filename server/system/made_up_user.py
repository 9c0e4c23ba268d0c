"""User ids that systemd allocates for a service (`DynamicUser=`), and may reuse later."""

import os
from typing import Final

_MADE_UP: Final = range(61184, 65520)
"""Range of these ids, from systemd's documentation."""


def made_up_user() -> int | None:
    """Return the id of this process's user if systemd allocated it; None otherwise."""
    user = os.geteuid() if hasattr(os, "geteuid") else None
    return user if user in _MADE_UP else None
