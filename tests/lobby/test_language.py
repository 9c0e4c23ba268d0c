"""Another language during play: what a session was told before is sent again, once."""

from collections.abc import Iterator

import pytest

from protocol import messages as say
from protocol.common.table import Settings
from protocol.common.text import Catalog
from server.lobby.views.words import Wordsmith
from tests.kit.servers.house import Client, House
from tests.kit.servers.tables import room_id_of, start_all


@pytest.fixture
def house() -> House:
    """Return an empty server."""
    return House()


def choose(house: House, client: Client, language: str) -> int:
    """Choose a language; return the serial of the request."""
    serial = client.next_serial()
    client.send(say.ChooseLanguage(serial, language))
    house.settle()
    return serial


def subjects(messages: list[say.ServerMessage]) -> list[str]:
    """Return the subjects of all words sent, with repetitions."""
    found = [message for message in messages if isinstance(message, say.Words)]
    return [subject for words in found for subject, _ in words.subjects]


def languages(messages: list[say.ServerMessage]) -> set[str]:
    """Return the languages of all words sent."""
    return {message.language for message in messages if isinstance(message, say.Words)}


def test_all_that_was_told_is_told_again_in_the_new_language(house: House) -> None:
    ada, _ = start_all(house, ["Ada", "Ben"])
    before = ada.session.sent[:]

    serial = choose(house, ada, "fr")

    again = ada.session.sent[len(before) :]
    assert sorted(subjects(again)) == sorted(subjects(before))
    assert languages(again) == {"fr"}
    assert again[-1] == say.Done(serial)


def test_what_is_told_later_comes_in_the_new_language(house: House) -> None:
    ada, ben = start_all(house, ["Ada", "Ben"])
    choose(house, ada, "fr")
    before = len(ada.session.sent)
    house.bot(ada, 1)
    house.bot(ben, 2)
    house.settle(20)
    ada.port.leave_table()
    house.open_table(ada)

    assert subjects(ada.session.sent[before:])
    assert languages(ada.session.sent[before:]) == {"fr"}
    assert languages([*ben.session.sent]) == {"en"}


def test_nobody_is_told_more_for_choosing_a_language(house: House) -> None:
    ada, _ = start_all(house, ["Ada", "Ben"])
    told = set(subjects([*ada.session.sent]))

    choose(house, ada, "fr")

    assert set(subjects([*ada.session.sent])) == told


def test_a_language_that_no_pack_speaks_is_english(house: House) -> None:
    ada, _ = start_all(house, ["Ada", "Ben"])
    before = len(ada.session.sent)

    serial = choose(house, ada, "tlh")

    assert languages(ada.session.sent[before:]) == {"en"}
    assert ada.session.sent[-1] == say.Done(serial)


def test_what_was_told_in_a_language_is_not_told_in_it_again(house: House) -> None:
    ada, _ = start_all(house, ["Ada", "Ben"])
    choose(house, ada, "fr")
    before = len(ada.session.sent)

    serial = choose(house, ada, "fr")

    assert ada.session.sent[before:] == [say.Done(serial)]


def test_whoever_looks_on_later_learns_nothing_by_it(house: House) -> None:
    settings = Settings(spectators=True, spectators_delay_seconds=60)
    ada, _ = start_all(house, ["Ada", "Ben"], settings)
    wat = house.client("Wat")
    wat.port.watch(ada.session.last(say.TableOpened).watch_code)
    house.settle()
    told = set(subjects([*wat.session.sent]))

    choose(house, wat, "fr")

    assert set(subjects([*wat.session.sent])) == told


def test_choosing_all_the_time_is_refused(house: House) -> None:
    """Each choice makes the server send much text."""
    ada, _ = start_all(house, ["Ada", "Ben"])

    for _ in range(40):
        ada.send(say.ChooseLanguage(ada.next_serial(), "fr"))
    house.settle()

    assert ada.session.last(say.Refusal).code == "table/too_busy"
    assert ada.model.view is not None
    assert room_id_of(ada)


# Slow readers ------------------------------------------------------------------------------

LONG = "x" * 7000
CATALOGS: dict[str, Catalog] = {
    language: {f"card/{n}": {"text": f"{language} {LONG}"} for n in range(30)}
    for language in ("en", "fr")
}


def told(stream: Iterator[say.Words], most: int | None = None) -> list[tuple[str, str]]:
    """Return language and subject of the next words of a stream."""
    found = []
    for words in stream if most is None else (next(stream) for _ in range(most)):
        found += [(words.language, subject) for subject, _ in words.subjects]
    return found


def test_a_slow_reader_who_changes_their_mind_gets_each_word_in_the_last_language() -> None:
    smith = Wordsmith("en")
    first = smith.for_subjects(CATALOGS, list(CATALOGS["en"]))
    early = told(first, 2)
    second = smith.for_subjects(CATALOGS, smith.change("fr"))

    late = told(first) + told(second)

    assert {language for language, _ in early} == {"en"}
    assert {language for language, _ in late} == {"fr"}
    assert sorted(subject for _, subject in late) == sorted(CATALOGS["fr"])


@pytest.mark.issue(12)
def test_the_order_of_words_told_again_says_nothing_of_other_sessions() -> None:
    names = list(CATALOGS["en"])
    smiths = Wordsmith("en"), Wordsmith("en")
    for smith, order in zip(smiths, (names, names[::-1]), strict=True):
        told(smith.for_subjects(CATALOGS, order))

    again = [smith.change("fr") for smith in smiths]

    assert again[0] == again[1] == tuple(sorted(again[0]))
    assert set(names) <= set(again[0])
