"""What is wrong with a file, in words."""

from client.locale import Locale
from protocol.archive import BadArchive


def fault_in(error: BadArchive, locale: Locale) -> str:
    """Return what is wrong with an exported game, and where, in words."""
    what = locale.say(f"bad_archive.{error.kind}")
    return what if error.sequence is None else locale.say("bad_archive.at", error.sequence, what)
