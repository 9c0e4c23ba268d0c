"""Words for the faults of an exported file."""

from client.locale import Locale
from protocol.archive import BadArchive


def fault_in(error: BadArchive, locale: Locale) -> str:
    """Describe the fault of an exported game, and its place in the file."""
    what = locale.say(f"bad_archive.{error.kind}")
    return what if error.sequence is None else locale.say("bad_archive.at", error.sequence, what)
