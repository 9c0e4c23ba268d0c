"""Proposals: what needs the others' agreement, offered and answered."""

from client.screens.boxes import Confirm, Item, Menu
from client.screens.screen import Desk
from client.tables import TableView
from protocol.common.table import GameTable, Proposal
from protocol.second_edition.table import Monster, SecondEditionTable

MOST_RESTS = 12
"""Rest points offered to go back to, the latest first."""


def proposals_menu(desk: Desk, view: TableView) -> Menu:
    """Return the menu of all that this seat can propose now."""
    items = []
    proposal = view.table.room.proposal
    if proposal is not None:
        items.append(
            Item(
                describe(desk, proposal),
                lambda: desk.open(consent_box(desk, proposal)),
            )
        )
    items += [_back_to(desk, rest, game) for rest, game in _rests(view)]
    items += _corrections(desk, view)
    items += _invitations(desk, view)
    room = view.table.room
    if view.seat in {room.host, room.steward}:
        for seat in view.table.room.seats.values():
            if seat.seat != view.seat:
                items += _give(desk, seat.seat, seat.name)
    return Menu(desk, "box.proposals", items)


def _corrections(desk: Desk, view: TableView) -> list[Item]:
    """Return a menu of its damage for each monster: rule APP-8, and DECIDE-49 for the consent."""
    game = view.table.game
    monsters = game.monsters.values() if isinstance(game, SecondEditionTable) else ()
    return [
        Item(
            desk.say("propose.damage", desk.speaker.monster(monster), monster.damage),
            lambda monster=monster: desk.open(_damages(desk, monster)),  # type: ignore[misc]
        )
        for monster in monsters
    ]


def _damages(desk: Desk, monster: Monster) -> Menu:
    """Return the menu of what the damage of a monster could be instead."""
    items = [
        Item(
            desk.say("propose.damage_to", desk.speaker.monster(monster), damage),
            lambda damage=damage: desk.port.propose_correction(monster.monster_id, damage),  # type: ignore[misc]
        )
        for damage in range(monster.health + 1)
        if damage != monster.damage
    ]
    return Menu(desk, "box.proposals", items)


def _invitations(desk: Desk, view: TableView) -> list[Item]:
    """Return the invitations to seats that were agreed to be given away."""
    codes = desk.model.codes.get(view.room_id, {})
    return [
        Item(
            desk.say("propose.invitation", desk.speaker.seat(view.table, seat)),
            lambda seat=seat: desk.show_outside(desk.model.invitation(seat)),  # type: ignore[misc]
        )
        for seat in sorted(codes)
        if seat >= 0 and desk.model.invitation(seat)
    ]


def _rests(view: TableView) -> list[tuple[int, GameTable]]:
    return sorted(view.table.rests.items(), reverse=True)[:MOST_RESTS]


def _back_to(desk: Desk, rest: int, game: GameTable) -> Item:
    text = desk.say("propose.back", _when(desk, game), rest)
    return Item(text, lambda: desk.port.propose_take_back(rest))


def _when(desk: Desk, game: GameTable) -> str:
    if not isinstance(game, SecondEditionTable):
        return ""
    parts = desk.speaker.moment(game)
    if game.active is not None:
        name = desk.speaker.name("investigator", game.active)
        parts.append(desk.say("status.turn", name, game.actions_left))
    return ", ".join(parts)


def _give(desk: Desk, seat: int, name: str) -> list[Item]:
    return [
        Item(
            desk.say("propose.give_bot", name),
            lambda: desk.port.propose_give_seat(seat, to_bot=True),
        ),
        Item(
            desk.say("propose.give_person", name),
            lambda: desk.port.propose_give_seat(seat, to_bot=False),
        ),
    ]


def describe(desk: Desk, proposal: Proposal) -> str:
    """Return what a proposal is, in one sentence."""
    view = desk.model.view
    assert view is not None
    by = desk.speaker.seat(view.table, proposal.by)
    if proposal.kind == "give_seat":
        key = "consent.give_bot" if proposal.is_bot else "consent.give_person"
        return desk.say(key, by, desk.speaker.seat(view.table, proposal.seat))
    if proposal.kind == "correct":
        named = desk.speaker.monster_named(view.table, proposal.piece)
        return desk.say("consent.damage", by, named, proposal.amount)
    game = view.table.rests.get(proposal.rest)
    return desk.say("consent.back", by, _when(desk, game) if game is not None else "")


def consent_box(desk: Desk, proposal: Proposal) -> Confirm:
    """Return the box in which a seat agrees to a proposal or ends it."""
    number = proposal.proposal_id
    return Confirm(
        desk,
        "box.consent",
        describe(desk, proposal),
        lambda: desk.port.consent(number, is_agreed=True),
        lambda: desk.port.consent(number, is_agreed=False),
    )
