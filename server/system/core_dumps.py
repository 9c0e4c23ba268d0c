"""Core dumps are disabled: the memory of a server holds its identity and every secret."""

import contextlib


def forbid_core_dumps() -> None:
    """Forbid core dumps of this process and its children."""
    try:
        import resource  # noqa: PLC0415 (not on every system)
    except ImportError:
        return
    # macOS refuses some limits.
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
