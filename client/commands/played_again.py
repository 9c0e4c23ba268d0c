"""
The result of playing a log again by the rules, and its words in `manse verify`.

The client knows no rules: `server.commands.verify` passes a function that plays the log.
"""

import enum
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import attrs

from client.locale import Locale
from protocol.difference import Difference


class Outcome(enum.Enum):
    """The result of playing a log again, or the reason why nothing was played."""

    SAME = "same"
    DIFFERS = "differs"
    NOT_ASKED = "not_asked"
    NOT_WHOLE = "not_whole"
    NO_PACK = "no_pack"
    NO_EARLIER_PACK = "no_earlier_pack"
    """A pack is missing: the host chose one of its scenarios before the final one."""
    BAD_PACK = "bad_pack"
    OTHER_RULES = "other_rules"
    TOO_MUCH = "too_much"


@attrs.frozen
class PlayedAgain:
    """The outcome of playing a log again, with the difference if the rules write another log."""

    outcome: Outcome
    params: tuple[str | int, ...] = ()
    """Parameters of the outcome's words. For a log of unavailable rules: the version of the log,
    and the last release with these rules, empty if only a later release has them."""
    difference: Difference | None = None
    begin: int = 0
    """The first event that was played again. In a practice game the earlier events are the
    source's, which the rules do not write."""

    def in_words(self, locale: Locale) -> str:
        """Describe the outcome in one line. `describe_difference` has the details."""
        if self.outcome is Outcome.SAME and self.begin:
            return locale.say("verify.practice_played_again", self.begin)
        is_known = self.outcome is Outcome.OTHER_RULES and all(self.params[1:])
        return locale.say("verify.older_rules" if is_known else _WORDS[self.outcome], *self.params)

    def as_json(self) -> dict[str, Any]:
        found = {} if self.difference is None else attrs.asdict(self.difference)
        since = {"from": self.begin} if self.begin else {}
        return {"outcome": self.outcome.value, **since, **found}


def describe_difference(difference: Difference, name: str, locale: Locale, begin: int = 0) -> str:
    """
    Describe a difference for a person.

    Args:
        difference: the difference.
        name: the name of the file.
        locale: the language.
        begin: the first event that was played again; above 0 for a practice game.
    """
    before = "verify.practice_right_before" if begin else "verify.right_before"
    return f"{_difference_in_words(difference, name, locale)} {locale.say(before, begin)}"


def _difference_in_words(difference: Difference, name: str, locale: Locale) -> str:
    at, logged, say = difference.sequence, difference.logged, locale.say
    if difference.refused:
        return say("verify.rules_refuse", name, at, logged, difference.refused)
    if difference.place:
        where = (difference.place, difference.found, difference.expected)
        return say("verify.other_record", name, at, logged, *where)
    if difference.written:
        return say("verify.other_kind", name, at, logged, difference.written)
    return say("verify.no_such_record", name, at, logged)


_WORDS = {
    Outcome.SAME: "verify.played_again",
    Outcome.NOT_ASKED: "verify.not_asked",
    Outcome.NOT_WHOLE: "verify.not_whole",
    Outcome.NO_PACK: "verify.no_pack",
    Outcome.NO_EARLIER_PACK: "verify.no_earlier_pack",
    Outcome.BAD_PACK: "verify.bad_pack",
    Outcome.OTHER_RULES: "verify.other_rules",
    Outcome.TOO_MUCH: "verify.too_much",
}

PlayAgain: TypeAlias = Callable[[bytes, Sequence[str]], PlayedAgain]
"""Plays the log of a whole file again, given the bytes of the file and the packs that the player
named."""
