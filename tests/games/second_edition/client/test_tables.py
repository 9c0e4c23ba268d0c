"""Table view: the fold of received records, and what it refuses."""

import attrs
import pytest

from client.locale.word_store import WordStore
from client.model.tables import OutOfStep, TableView
from protocol.common import events
from protocol.common.text import Text
from protocol.errors import BadCommitment, BrokenChain
from protocol.event import Cut, openings_of
from protocol.games.second_edition import events as se
from tests.games.second_edition.client.scripted import ROOM, Script, agreeing, asked, playing
from tests.games.second_edition.client.stage import view_of
from tests.kit.closing import close_for


@pytest.mark.parametrize("seat", [0, 1, None])
def test_it_folds_a_cut_as_the_table_cut_for_the_seat(seat: int | None) -> None:
    script = asked()

    view = view_of(script, seat)

    assert view.table == close_for(script.table, seat)


def test_it_takes_batches_of_any_size() -> None:
    script = asked()
    one_by_one = TableView(ROOM, 0)

    for shown in script.cuts(0):
        one_by_one.receive([shown])

    assert (one_by_one.table, one_by_one.head) == (view_of(script).table, view_of(script).head)


def test_it_computes_the_same_head_for_every_seat() -> None:
    script = asked()

    heads = {view_of(script, seat).head for seat in (0, 1, None)}

    assert len(heads) == 1


def test_it_passes_over_what_it_holds() -> None:
    script = asked()
    view = view_of(script)
    before = view.table

    steps = view.receive(script.cuts(0, first=3))

    assert (steps, view.table) == ((), before)


def test_it_asks_again_after_a_gap() -> None:
    script = asked()
    view = TableView(ROOM, 0)
    cuts = script.cuts(0)
    view.receive(cuts[:3])

    with pytest.raises(OutOfStep):
        view.receive([cuts[3], cuts[5]])

    assert view.last == 2


def test_it_refuses_another_past() -> None:
    view = view_of(asked())
    other = playing(("Eve", "Bob"))

    with pytest.raises(BrokenChain):
        view.receive(other.cuts(0)[:2])


def test_it_refuses_a_false_opening() -> None:
    script = asked()
    cuts = script.cuts(0)
    at, shown = next((n, c) for n, c in enumerate(cuts) if c.openings)
    slot, opening = shown.openings[0]
    cuts[at] = Cut(shown.public, ((slot, attrs.evolve(opening, value=b"\xa3eve")),))

    with pytest.raises(BadCommitment):
        TableView(ROOM, 0).receive(cuts)


def _disclosure(script: Script) -> events.Disclosure:
    sequence = next(r.sequence for r in script.records if isinstance(r.event, se.BecameInsane))
    opening = openings_of(script.stored[sequence])[0]
    return events.Disclosure(sequence, 0, opening.salt, opening.value)


def test_it_checks_what_is_disclosed_later() -> None:
    script = playing()
    script.emit(se.BackShown("investigator/ada", _disclosure(script), "insane/arson"))

    view = view_of(script, 1)

    ada = view.table.game.investigators["investigator/ada"]  # type: ignore[union-attr]
    assert ada.conditions[0].back.value == "insane/arson"


def test_it_refuses_a_disclosure_that_is_false() -> None:
    script = playing()
    false = attrs.evolve(_disclosure(script), value=b"\xa3eve")
    script.emit(events.RoomClosed((false,), events.HowClosed.FINISHED))

    with pytest.raises(BadCommitment):
        view_of(script, 1)


def test_it_refuses_a_disclosure_of_nothing() -> None:
    script = playing()
    script.emit(
        events.RoomClosed((events.Disclosure(0, 0, b"s" * 32, b"v"),), events.HowClosed.FINISHED)
    )

    with pytest.raises(BadCommitment):
        view_of(script, 1)


def test_it_knows_its_own_question_alone() -> None:
    script = asked()

    questions = [view_of(script, seat).my_question() for seat in (0, 1, None)]

    assert [question is not None for question in questions] == [True, False, False]


def test_it_offers_the_tiebreak_once_all_have_voted_and_differ() -> None:
    script = agreeing()
    assert not view_of(script).can_call_tiebreak()

    script.emit(events.Voted(0, 0, ("9.0",)), origin=0)

    assert view_of(script).can_call_tiebreak()
    assert not view_of(script, None).can_call_tiebreak()


def test_words_add_up_field_by_field() -> None:
    words = WordStore()

    words.add("en", (("item/axe", (("name", "Axe"),)),))
    words.add("en", (("item/axe", (("text", "Sharp."),)),))

    assert words.say(Text("item/axe", field="name")) + words.say(Text("item/axe")) == "AxeSharp."


def test_words_of_another_language_replace_the_old_of_their_subject() -> None:
    words = WordStore()
    words.add("en", (("item/axe", (("name", "Axe"), ("text", "Sharp."))), ("item/oar", ())))
    words.add("en", (("item/oar", (("name", "Oar"),)),))

    words.add("fr", (("item/axe", (("name", "Hache"),)),))

    assert words.lookup("item/axe") == {"name": "Hache"}
    assert words.lookup("item/oar") == {"name": "Oar"}
