"""Words for the faults of an exported file."""

from client.locale import Locale
from protocol.archive import BadArchive


def fault_in(error: BadArchive, locale: Locale) -> str:
    """Return in words the fault of an exported game, and where in the file it is."""
    what = locale.say(f"bad_archive.{error.kind}")
    return what if error.sequence is None else locale.say("bad_archive.at", error.sequence, what)
