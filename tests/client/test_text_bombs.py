"""However deeply strangers' texts nest, rendering them has bounded output and bounded work."""

import attrs
import pytest

from client.commands.replays import json_lines, markdown, page
from client.locale import load as load_locale
from client.locale.word_store import WordStore
from client.model.tables import TableView
from protocol import codec
from protocol.archive import Archive, BadArchive, WordsOf, load
from protocol.bounds import MAX_TEMPLATE, MAX_TIME
from protocol.common import events
from protocol.common.templates import filled
from protocol.common.text import MAX_NESTED, MAX_RENDERED, SubjectWords, Text, render
from protocol.errors import Malformed
from protocol.event import Event, Stored, everything
from tests.protocol.archives import ROOM, Log, archive, finished_log

pytestmark = pytest.mark.issue(36)

FULL = "{0}" * (MAX_TEMPLATE // 3)
"""Template that repeats its parameter as often as the maximum length of a template allows."""
MOST_LOOKED_UP = 4 * MAX_RENDERED


def nested(*inner: int | str | Text, deep: int = MAX_NESTED) -> Text:
    """Return texts nested in one another."""
    text = Text("a/b", inner)
    for _ in range(deep):
        text = Text("a/b", (text,))
    return text


@pytest.mark.parametrize(
    ("template", "name"),
    [(FULL, "n"), (FULL, "n" * MAX_TEMPLATE), ("{0}{0}{0}", "n" * MAX_TEMPLATE), ("{0} {0}", "")],
)
@pytest.mark.parametrize("inner", [(), (2**53,), ("a/b",), ("x" * 10_000,)])
def test_a_bomb_is_cut(template: str, name: str, inner: tuple[int | str, ...]) -> None:
    asked = 0

    def lookup(_: str) -> SubjectWords:
        nonlocal asked
        asked += 1
        assert asked < MOST_LOOKED_UP
        return {"text": template, "name": name}

    assert len(render(nested(*inner), lookup)) <= MAX_RENDERED


def test_the_longest_template_is_rendered_whole() -> None:
    words = {"a/b": {"text": "w" * (MAX_TEMPLATE - 3) + "{0}"}}

    said = render(Text("a/b", ("Ada",)), words.get)

    assert said == "w" * (MAX_TEMPLATE - 3) + "Ada"


def test_a_slot_with_a_huge_number_is_none() -> None:
    """A template names a parameter by more digits than Python converts to a number."""
    template = "{" + "9" * 5000 + "}"

    assert filled(template, ("Ada",)) == template


def test_a_long_template_of_a_file_is_cut() -> None:
    """Files can hold longer templates than messages can."""
    store = WordStore()
    store.add("en", (("a/b", (("name", "n" * 60_000),)),))

    assert len(store.name("a/b")) == MAX_TEMPLATE


@pytest.fixture(scope="module")
def bomb() -> Archive:
    """Return a small game in which every text is a nested bomb."""

    def lying(happened: Event) -> Event:
        if isinstance(happened, events.Asked):
            return attrs.evolve(happened, about=nested(deep=4))  # type: ignore[misc]  # events are attrs
        return happened

    found = load(archive(finished_log(lying)))
    fields = (("text", FULL), ("name", "n" * MAX_TEMPLATE))
    subjects = {"a/b", *(subject for of in found.words for subject, _ in of.subjects)}
    words = WordsOf("en", tuple((subject, fields) for subject in sorted(subjects)))
    return attrs.evolve(found, words=(words,))


@pytest.mark.parametrize("make", [markdown, json_lines, page])
def test_every_export_of_a_bomb_is_short(bomb: Archive, make: object) -> None:
    made = make(bomb, load_locale("en"), None)  # type: ignore[operator]  # one of three functions

    assert len(made) < 40 * MAX_RENDERED


def timed(time: int) -> Log:
    """Return a game whose last record has the given time."""
    log = finished_log()
    plain = codec.unpack(log.stored[-1].public)
    assert isinstance(plain, tuple)
    public = codec.pack((plain[0], time, *plain[2:]))
    log.stored[-1] = Stored(public, log.stored[-1].openings)
    return log


@pytest.mark.parametrize("time", [-1, MAX_TIME + 1, 2**53])
def test_a_time_that_there_is_not_is_refused_as_it_is_read(time: int) -> None:
    log = timed(time)
    cuts = [everything(stored) for stored in log.stored]
    view = TableView(ROOM, None)
    view.receive(cuts[:-1])

    with pytest.raises(BadArchive) as caught:
        load(archive(log))
    with pytest.raises(Malformed, match="time"):
        view.receive(cuts)

    assert (caught.value.sequence, caught.value.kind) == (len(log.stored) - 1, "time")
    assert view.last == len(log.stored) - 2


def test_the_last_time_can_be_shown() -> None:
    found = load(archive(timed(MAX_TIME)))

    assert "6429" in json_lines(found, load_locale("en"), None)
    assert markdown(found, load_locale("en"), None)
    assert page(found, load_locale("en"), None)
