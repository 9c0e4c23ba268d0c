"""Words: which part of the catalog is sent with records, and to whom."""

from collections.abc import Iterable

import pytest

from protocol.common.asks import Choice, Question, RefusedChoice, Settle
from protocol.common.events import Asked, PresenceChanged, SeatTaken
from protocol.common.text import Text, subjects_in
from protocol.event import Cut, Event, Stored, cut, hidden
from protocol.sealing import seal
from server.lobby.views.words import SharedWords, Wordsmith
from tests.kit.words_sent import words_for

CATALOG = {
    "language": {"zero": "other"},
    "rule/turn-2": {"name": "Taking a turn", "text": "You have two actions."},
    "rule/golden-3": {"name": "A card forbids it", "text": "A cannot is absolute."},
    "rule/trade-1": {"name": "Who can trade", "text": "Whoever is here."},
}


class Seats:
    """A stand-in for a room with two seats."""

    def all_seats(self) -> tuple[int, ...]:
        return (0, 1)

    def seats_of(self, knower: str) -> tuple[int, ...]:
        """Fail: no secret of a piece occurs here."""
        raise AssertionError(knower)


def stored(happened: Event) -> Stored:
    """Return an event in stored form."""
    made, _ = seal(
        happened,
        room_id="room",
        sequence=0,
        time=0,
        origin=-1,
        knowers=Seats(),
        new_salt=lambda: bytes(32),
    )
    return made


def asked() -> Stored:
    """Return a question to seat 0 in which a private card forbids a trade."""
    refused = RefusedChoice(Text("choice/trade"), Text("refusal/barred"), "GOLDEN-3")
    question = Question(Text("ask/turn"), (Choice("0", Text("choice/end_turn")),), (refused,))
    return stored(Asked(1, "TURN-2", Text("about/turn"), Settle.EACH, (), {0: hidden(question)}))


def told(wordsmith: Wordsmith, *cuts: Cut) -> list[str]:
    """Return the subjects whose words are sent with records."""
    messages = words_for(wordsmith, {"en": CATALOG}, cuts)
    return [subject for words in messages for subject, _ in words.subjects]


def test_a_question_brings_the_words_of_its_rule_along() -> None:
    shown = told(Wordsmith("en"), cut(asked(), 0))

    assert shown == ["language", "rule/turn-2", "rule/golden-3"]


def test_the_id_of_a_rule_may_begin_with_its_catalogue() -> None:
    """A game with several catalogues sets a letter before each: `K-TURN-2`."""
    assert list(subjects_in(["K-TURN-2", "TURN-2", "K-2-TURN", "Anne-Marie"])) == [
        "rule/k-turn-2",
        "rule/turn-2",
    ]


@pytest.mark.parametrize("seat", [1, None])
def test_what_is_refused_to_one_is_explained_to_nobody_else(seat: int | None) -> None:
    """The reason, and the rule that it names, may depend on what only that seat knows."""
    assert told(Wordsmith("en"), cut(asked(), seat)) == ["language", "rule/turn-2"]


def test_a_rule_is_explained_once_in_a_session() -> None:
    wordsmith = Wordsmith("en")
    told(wordsmith, cut(asked(), 0))

    assert told(wordsmith, cut(asked(), 0)) == []


def test_rules_that_no_record_names_stay_away() -> None:
    records: Iterable[Event] = (
        SeatTaken(1, "Trade-1", b"k" * 32, is_bot=False),
        PresenceChanged(1, is_present=True),
    )

    assert told(Wordsmith("en"), *(cut(stored(one), 1) for one in records)) == ["language"]


def test_only_those_who_lack_the_same_words_are_told_with_the_same_message() -> None:
    french = {subject: {"name": f"[{subject}]"} for subject in CATALOG}
    catalogs = {"en": CATALOG, "fr": french}
    subjects = ("language", "rule/turn-2", "rule/trade-1")
    new, also_new, knowing, other = (Wordsmith(one) for one in ("en", "en", "en", "fr"))
    list(knowing.for_subjects(catalogs, ["rule/turn-2"]))
    shared: SharedWords = {}

    [first] = new.shared(catalogs, subjects, shared)
    [second] = also_new.shared(catalogs, subjects, shared)
    [third] = knowing.shared(catalogs, subjects, shared)
    [fourth] = other.shared(catalogs, subjects, shared)

    assert second is first
    assert [subject for subject, _ in first.subjects] == list(subjects)
    assert [subject for subject, _ in third.subjects] == ["rule/trade-1"]
    assert fourth.language == "fr"
    for each in (new, also_new, knowing, other):
        assert each.shared(catalogs, subjects, {}) == ()
        assert not list(each.for_subjects(catalogs, subjects))
