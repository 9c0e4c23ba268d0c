"""
Sharing: which investigator starts with which possession.

Rules SETUP-12, SETUP-13 and DECIDE-18. The proposal deals the cards out in seat order, one after
another. Any seat may move a card to another investigator, and everybody learns who did; the
proposal is final once all seats pass. A card that was moved `MOST_MOVES` times is disputed: a vote,
and a lot after a tie, decides its owner.
"""

from collections.abc import Sequence

from protocol.common.text import Text
from protocol.games.second_edition.events import OptionChosen
from protocol.games.second_edition.table import CardId, InvestigatorId
from protocol.values import evolve, frozen
from server.games.second_edition.rules import naming, possessions
from server.games.second_edition.rules.play import Play
from server.kernel.asks import Option, Prompt

MOST_MOVES = 3
"""Number of times that a card can change its proposed owner before the card is disputed. The limit
ensures that the game begins."""

_ABOUT = "about/starting_items"


@frozen
class _Proposal:
    """One card, its proposed owner, and how often it was moved."""

    card: CardId
    owner: InvestigatorId
    moves: int = 0

    @property
    def is_disputed(self) -> bool:
        return self.moves >= MOST_MOVES

    def moved_to(self, who: InvestigatorId) -> "_Proposal":
        return evolve(self, owner=who, moves=self.moves + 1)


_Move = tuple[int, InvestigatorId]
"""Position of a card among the proposals, and its new owner."""


@frozen
class _Change:
    """A seat's change of the proposal: another owner for the card at one position."""

    by: InvestigatorId
    """First investigator of the seat."""
    at: int
    who: InvestigatorId


async def divide_possessions(play: Play) -> None:
    """Let the group divide the starting possessions. Rules SETUP-12, SETUP-13, DECIDE-18."""
    scenario, people = play.content.scenario, play.table.standing()
    cards = (*scenario.starting_items, *scenario.starting_spells)
    # Logs of version 1 voted on each card by itself.
    if play.version == 1:
        for card in cards:
            if play.table.supply.get(card, 0):
                possessions.gain(play, await _voted(play, card), card)
        return
    there = _in_supply(play, cards)
    # Cards are dealt round the table first, so that a group in agreement answers once.
    proposed = [_Proposal(card, people[at % len(people)]) for at, card in enumerate(there)]
    while (change := await _ask_for_change(play, proposed)) is not None:
        at, who = change.at, change.who
        # Each seat's answer is its own secret, so the rules say who changed the proposal.
        if play.version > 2:
            play.emit(OptionChosen(change.by, _moved(proposed[at], who)))
        proposed[at] = proposed[at].moved_to(who)
    for one in proposed:
        owner = await _voted(play, one.card) if one.is_disputed else one.owner
        possessions.gain(play, owner, one.card)


def _in_supply(play: Play, cards: Sequence[CardId]) -> list[CardId]:
    """Return the cards without the copies that exceed the supply. DECIDE-125."""
    supply = play.table.supply
    return [card for at, card in enumerate(cards) if cards[:at].count(card) < supply.get(card, 0)]


async def _ask_for_change(play: Play, proposed: Sequence[_Proposal]) -> _Change | None:
    """Ask every seat about the proposal; return the first change, or None once all pass."""
    changes = [
        Option[_Move | None](
            (at, who),
            _moved(one, who),
            (naming.at_investigator(who),),
        )
        for at, one in enumerate(proposed)
        if not one.is_disputed
        for who in play.table.standing()
        if who != one.owner
    ]
    if not changes:
        return None
    listed = _listed(
        [
            Text("choice/carries", (one.card, one.owner), "disputed" if one.is_disputed else "text")
            for one in proposed
        ]
    )
    stands = Option[_Move | None](
        None, Text("choice/as_proposed", (listed,)), (), "proposed", ends=True
    )
    prompt = Prompt(Text("ask/starting_items"), (stands, *changes))
    # Clients show the cards that a question is about, with their texts.
    about = Text(_ABOUT, tuple(dict.fromkeys(one.card for one in proposed)))
    seats = sorted({play.seat_of(who) for who in play.table.standing()})
    if len(seats) == 1:
        ((found,),) = (await play.each({seats[0]: prompt}, rule="SETUP-13", about=about)).values()
        return _made(play, seats[0], found)
    acted = await play.first_to_act(dict.fromkeys(seats, prompt), rule="SETUP-13", about=about)
    return _made(play, *acted) if acted is not None else None


def _made(play: Play, seat: int, move: _Move | None) -> _Change | None:
    by = next(who for who in play.table.standing() if play.seat_of(who) == seat)
    return None if move is None else _Change(by, *move)


def _moved(one: _Proposal, who: InvestigatorId) -> Text:
    return Text("choice/carries_instead", (one.card, who, one.owner))


def _listed(texts: Sequence[Text]) -> Text:
    """
    Join texts into one.

    The list is halved repeatedly, since texts can be nested only to a limited depth.
    """
    if len(texts) == 1:
        return texts[0]
    half = len(texts) // 2
    return Text("choice/and", (_listed(texts[:half]), _listed(texts[half:])))


async def _voted(play: Play, card: CardId) -> InvestigatorId:
    """Return the owner of one card by a vote of the group. Rule CONFLICT-3."""
    people = play.table.standing()
    return await play.agree(
        people,
        [
            Option(who, Text("choice/gets", (who, card)), (naming.at_investigator(who),), "use")
            for who in people
        ],
        rule="SETUP-13",
        about=Text("about/starting_item", (card,)),
        prompt=Text("ask/starting_item", (card,)),
    )
