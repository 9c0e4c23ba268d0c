"""Parses the filter of finished games that is typed in plain mode."""

from collections.abc import Iterator
from datetime import date

import attrs

from client.locale import Locale
from client.model.found_games import ALL_GAMES, GamesWanted, read_day
from client.plain.choice import MOST_ECHOED, UnreadableCommand, is_number
from client.plain.talk import Talk
from client.text.ascii_fold import folded_words
from protocol.bounds import MAX_SEATS

_WORDS = ("seats", "since", "until")
"""Words of the filter, each followed by a value."""


def read_wanted(talk: Talk, argument: str) -> GamesWanted:
    """
    Parse a filter: a scenario, then `seats 3 since 2026-10-01 until 2026-10-31`.

    Every part is optional. The parts after the scenario come in any order.

    Raises:
        UnreadableCommand: an unknown scenario or word, or an invalid value.
    """
    typed, locale = argument.split(), talk.model.locale
    # A title may have several words; it ends before the first word of the filter.
    count = next((at for at, word in enumerate(typed) if _meant(word, locale)), len(typed))
    wanted, left = ALL_GAMES, typed[count:]
    if title := " ".join(typed[:count]):
        known = talk.model.lobby.scenarios or ()
        at = talk.which_scenario(title, known)
        wanted = attrs.evolve(wanted, scenario=known[at].scenario)
    while left:
        word = left.pop(0)
        match _meant(word, locale):
            case "seats":
                number = left.pop(0) if left else ""
                # int() refuses very long numbers; none that is valid has more digits.
                is_short = is_number(number) and len(number) <= len(str(MAX_SEATS))
                if not is_short or not 1 <= int(number) <= MAX_SEATS:
                    raise UnreadableCommand("plain.games_need_seats", MAX_SEATS, word)
                wanted = attrs.evolve(wanted, seats=int(number))
            case "since":
                wanted = attrs.evolve(wanted, since=_day(word, left))
            case "until":
                wanted = attrs.evolve(wanted, until=_day(word, left))
            case _:
                words = (locale.say(f"plain.games.{one}") for one in _WORDS)
                raise UnreadableCommand("plain.games_unknown", word[:MOST_ECHOED], *words)
    if not wanted.has_days:
        raise UnreadableCommand("games.no_days", str(wanted.since), str(wanted.until))
    return wanted


def _day(word: str, left: list[str]) -> date:
    if not left:
        raise UnreadableCommand("plain.games_need_day", word)
    typed = left.pop(0)
    day = read_day(typed)
    if day is None:
        raise UnreadableCommand("games.no_day", typed[:MOST_ECHOED])
    return day


def _meant(typed: str, locale: Locale) -> str | None:
    """Return the word of `_WORDS` that is typed in English or the player's language; else None."""
    own = ((word, locale.say(f"plain.games.{word}")) for word in _WORDS)
    folded = folded_words(typed)
    return next((word for word, said in own if folded in map(folded_words, (word, said))), None)


def next_words(talk: Talk, argument: str) -> Iterator[str]:
    locale = talk.model.locale
    used = [_meant(word, locale) for word in argument.split()]
    match used[-1] if used else None:
        case "seats":
            yield from map(str, range(1, MAX_SEATS + 1))
        case "since" | "until":
            # Offer today as an example of the format.
            yield talk.environment.wall().date().isoformat()
        case _:
            yield from (locale.say(f"plain.games.{one}") for one in _WORDS if one not in used)
