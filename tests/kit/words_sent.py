"""Words to send before records, as `Followers` sends them."""

from collections.abc import Iterable, Iterator, Mapping

from protocol.common.text import Catalog, subjects_in
from protocol.event import Cut
from protocol.event_contents import shown_strings
from protocol.messages import Words
from server.lobby.views.words import Wordsmith


def words_for(
    wordsmith: Wordsmith, catalogs: Mapping[str, Catalog], cuts: Iterable[Cut]
) -> Iterator[Words]:
    """Yield the words that records need and that were not sent before."""
    strings = (string for shown in cuts for string in shown_strings(shown))
    return wordsmith.for_subjects(catalogs, subjects_in(strings))
