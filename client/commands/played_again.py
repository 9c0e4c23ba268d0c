"""
The result of playing a log again by the rules, and its words in `manse verify`.

The client knows no rules: `server.commands.verify` passes a function that plays the log.
"""

import enum
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import attrs

from client.locale import Locale


class Outcome(enum.Enum):
    """The result of playing a log again, or the reason why nothing was played."""

    SAME = "same"
    DIFFERS = "differs"
    NOT_ASKED = "not_asked"
    NOT_WHOLE = "not_whole"
    NO_PACK = "no_pack"
    BAD_PACK = "bad_pack"
    OTHER_RULES = "other_rules"
    TOO_MUCH = "too_much"


@attrs.frozen
class Difference:
    """The first record that the rules do not write."""

    sequence: int
    logged: str
    """The kind of the record on the log; empty if the log ends before this record."""
    written: str = ""
    """The kind of the record that the rules write instead; empty if they write none."""
    place: str = ""
    """The path of the first value that differs, if both records are of one kind."""
    found: str = ""
    """The differing value on the log."""
    expected: str = ""
    """The value that the rules write."""
    refused: str = ""
    """The code of the refusal, if the rules refuse the input in this record."""

    @property
    def reason(self) -> str:
        """The difference as a sentence in English, for scripts."""
        if self.refused:
            return f"the rules refuse this {self.logged}: {self.refused}"
        if self.place:
            return f"{self.place} is {self.found}; the rules write {self.expected}"
        if self.written:
            return f"it is a {self.logged}; the rules write a {self.written}"
        return f"the rules do not lead to this {self.logged}"

    def said(self, name: str, locale: Locale) -> str:
        """Describe the difference for a person; `name` is the name of the file."""
        at, logged, say = self.sequence, self.logged, locale.say
        if self.refused:
            return say("verify.rules_refuse", name, at, logged, self.refused)
        if self.place:
            where = (self.place, self.found, self.expected)
            return say("verify.other_record", name, at, logged, *where)
        if self.written:
            return say("verify.other_kind", name, at, logged, self.written)
        return say("verify.no_such_record", name, at, logged)


@attrs.frozen
class PlayedAgain:
    """The result of playing a log again, or the reason why the log was not played."""

    outcome: Outcome
    params: tuple[str | int, ...] = ()
    """The parameters of the words of the outcome."""
    difference: Difference | None = None

    def said(self, locale: Locale) -> str:
        """Describe the outcome in one line. `Difference.said` describes a difference in detail."""
        return locale.say(_WORDS[self.outcome], *self.params)

    def as_json(self) -> dict[str, Any]:
        found = {} if self.difference is None else attrs.asdict(self.difference)
        return {"outcome": self.outcome.value, **found}


_WORDS = {
    Outcome.SAME: "verify.played_again",
    Outcome.NOT_ASKED: "verify.not_asked",
    Outcome.NOT_WHOLE: "verify.not_whole",
    Outcome.NO_PACK: "verify.no_pack",
    Outcome.BAD_PACK: "verify.bad_pack",
    Outcome.OTHER_RULES: "verify.other_rules",
    Outcome.TOO_MUCH: "verify.too_much",
}

PlayAgain: TypeAlias = Callable[[bytes, Sequence[str]], PlayedAgain]
"""
Plays the log of a whole file again. The arguments are its bytes, and packs named by the player.
"""
