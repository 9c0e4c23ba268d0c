"""
Cards laid ready: how the keeper interrupts without being quick. K-DECIDE-107.

In advance the keeper names, for each investigator, one mythos card or none, and a public moment. At
a table by calendar the keeper is then not asked beside each step (`replaces_asking`). What is laid
is secret (K-SECRET-24): everybody is asked about in the same way, the record is of one size for all
others, and a card whose moment came and could not be played leaves no trace.
"""

from protocol.common.table import Handle
from protocol.common.text import Text
from protocol.event import hidden
from protocol.games.first_edition.events import LaidReady, MomentsPassed
from protocol.games.first_edition.table import (
    MYTHOS_HAND,
    TEST_FAILED,
    TURN_STARTED,
    InvestigatorId,
)
from protocol.games.first_edition.words import KEEPER
from server.games.first_edition.rules import mythos, places
from server.games.first_edition.rules.play import Play, keeper
from server.kernel.asks import Option, Prompt


def is_on(play: Play) -> bool:
    """Return whether cards are laid ready at this table. K-DECIDE-107."""
    return play.lays_ready


def replaces_asking(play: Play) -> bool:
    """Return whether nobody is asked at the moment itself, since the game lasts days there."""
    return play.lays_ready and play.is_by_calendar


async def lay(play: Play) -> None:
    """
    Ask for a card and a moment for each investigator on the board.

    Asked before round 1 and at the end of the keeper's turn, as long as there are mythos cards in
    hand. Each card is for one investigator: named twice, it is for the first.
    """
    people = play.table.in_seat_order()
    if not is_on(play) or not play.table.hand(MYTHOS_HAND) or not people:
        return
    row = [
        prompt
        for one in people
        for prompt in (_card(play, one.investigator_id), _moment(play, one.investigator_id))
    ]
    seat = keeper(play)
    picked = await play.each_in_row(
        {seat: row}, rule="K-DECIDE-107", about=Text("about/laid_ready")
    )
    given = [value for (value,) in picked[seat]]
    plans: list[tuple[str, str, str]] = []
    laid: set[Handle] = set()
    for who, handle, moment in zip(people, given[::2], given[1::2], strict=True):
        is_laid = bool(handle) and handle not in laid
        laid.add(handle)
        # By card: the hand gets new handles whenever a card is drawn.
        card = play.table.card_of(handle) if is_laid else ""
        plans.append((who.investigator_id, card, moment))
    play.emit(LaidReady(KEEPER, hidden(tuple(plans))))


def _card(play: Play, who: InvestigatorId) -> Prompt[str]:
    cards = [
        Option(handle, Text("choice/mythos", (play.table.card_of(handle), who)), (), "mythos")
        for handle in play.table.hand(MYTHOS_HAND)
    ]
    none = Option("", Text("choice/lay_none", (who,)))
    return Prompt(Text("ask/lay_card", (who,)), (none, *cards))


def _moment(play: Play, who: InvestigatorId) -> Prompt[str]:
    rooms = dict.fromkeys(play.table.map.rooms.values())
    options = (
        Option(TURN_STARTED, Text("choice/at_turn", (who,))),
        Option(TEST_FAILED, Text("choice/at_failed_test", (who,))),
        *[Option(room, Text("choice/at_room", (room,)), (places.at_room(room),)) for room in rooms],
    )
    return Prompt(Text("ask/lay_moment", (who,)), options)


async def play_due(play: Play, who: InvestigatorId) -> bool:
    """
    Play the card whose moment came, at the first interruption moment at or after it.

    If its condition does not hold, or a mythos card was played in this turn, nothing happens, and
    the moment is past. What shows follows from public facts: that moments came.

    Returns:
        True if a card was played, so that the investigator is asked anew.
    """
    if not mythos.is_step_left(play):
        return False
    came = {moment for one, moment in play.table.moments if one == who}
    if not came:
        return False
    play.emit(MomentsPassed(who))
    sealed = play.table.ready
    plans = () if sealed is None else sealed.value
    card = next((card for one, card, moment in plans if one == who and moment in came), "")
    in_hand = play.table.hand(MYTHOS_HAND)
    handle = next((one for one in in_hand if play.table.card_of(one) == card), None)
    if handle is None or not mythos.is_moment(play):
        return False
    if mythos.refusal(play, who, handle) is not None:
        return False
    await mythos.play_card(play, who, handle)
    return True
