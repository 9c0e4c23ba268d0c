"""Proposals as text: each kind, by and for every seat, is a whole sentence."""

import attrs
import pytest

from client.journal.proposals import proposed
from client.locale import load
from client.locale.speaker import Speaker
from client.model.tables import TableView
from protocol.common.table import Proposal, Seat, Table
from tests.games.second_edition.client.scripted import ROOM, asked, words


def table_with(*changed: Seat, without: int | None = None) -> Table:
    """Return the table of a game with some seats changed or removed."""
    view = TableView(ROOM, 0)
    view.receive(asked().cuts(0))
    room = view.table.room
    seats = {**room.seats, **{seat.seat: seat for seat in changed}}
    left = {number: seat for number, seat in seats.items() if number != without}
    return attrs.evolve(view.table, room=attrs.evolve(room, seats=left))


def said(language: str, proposal: Proposal, table: Table | None = None) -> str:
    """Return the sentence of a proposal, with ordinary spaces."""
    speaker = Speaker(load(language), words(language))
    return proposed(speaker, table or table_with(), proposal).replace("\xa0", " ")


def giving(seat: int, by: int = 0, *, is_bot: bool = True) -> Proposal:
    return Proposal(1, "give_seat", by, seat=seat, is_bot=is_bot)


EMPTY = attrs.evolve(table_with().room.seats[1], name="")
BARE = attrs.evolve(EMPTY, characters=())
NAMELESS = attrs.evolve(table_with().room.seats[0], name="")

SEATS = [
    (giving(1), table_with(), "Bob’s seat", "la place de Bob"),
    (giving(0), table_with(), "their own seat", "sa propre place"),
    (giving(0, by=1), table_with(), "Ann’s seat", "la place d’Ann"),
    (giving(1), table_with(EMPTY), "the empty seat of Vera Sand", "la place libre de Vera Sand"),
    (giving(1), table_with(BARE), "the empty seat", "la place libre"),
    (giving(1), table_with(without=1), "seat 2", "la place 2"),
]


@pytest.mark.parametrize(("proposal", "table", "en", "fr"), SEATS)
def test_a_seat_is_given_to_a_bot_or_to_somebody(
    proposal: Proposal, table: Table, en: str, fr: str
) -> None:
    by = table.room.seats[proposal.by].name
    assert said("en", proposal, table) == f"{by} proposes to give {en} to a bot."
    assert said("fr", proposal, table) == f"{by} propose de confier {fr} à un robot."
    person = attrs.evolve(proposal, is_bot=False)
    assert said("en", person, table) == f"{by} proposes to give {en} to somebody else."
    assert said("fr", person, table) == f"{by} propose de céder {fr} à quelqu’un d’autre."


def test_whoever_proposed_and_is_gone_is_somebody() -> None:
    assert said("en", giving(1), table_with(NAMELESS)).startswith("Somebody proposes")
    assert said("fr", giving(1), table_with(NAMELESS)).startswith("Quelqu’un propose")


def test_the_moment_to_go_back_to_is_named_where_it_is_known() -> None:
    table = table_with()
    back = Proposal(1, "take_back", 0, checkpoint=7)
    assert said("en", back, table) == "Ann proposes to go back."
    assert said("fr", back, table) == "Ann propose de revenir en arrière."
    assert table.game is not None
    known = attrs.evolve(table, checkpoints={7: table.game})
    assert said("en", back, known).startswith("Ann proposes to go back to this moment: Round 2,")
    assert said("fr", back, known).startswith("Ann propose de revenir à ce moment : Manche 2,")


def test_damage_is_corrected_without_two_numbers_side_by_side() -> None:
    """The name of a monster may end in a number of its own."""
    wrong = Proposal(1, "correct", 1, piece="nobody", amount=3)
    expected = "Bob proposes to correct the damage: a monster that is gone has suffered 3."
    assert said("en", wrong) == expected
    assert said("fr", wrong) == (
        "Bob propose de fixer à 3 les dégâts de ce monstre : un monstre disparu."
    )
