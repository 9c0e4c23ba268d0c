"""
Wounded and Insane: the consequences of too much Damage or Horror.

Rules WOUNDED-1 to WOUNDED-6 and INSANE-1 to INSANE-9, with DECIDE-50 to DECIDE-54 and DECIDE-58 to
DECIDE-62. The pile has only Insane Conditions that fit the number of players (INSANE-6), so no card
is ever drawn and put back in view of the players.
"""

from protocol.common.text import Text
from protocol.event import hidden
from protocol.games.second_edition.events import BecameInsane, BecameWounded
from protocol.games.second_edition.table import INSANE_DECK, Harm, InvestigatorId
from server.games.second_edition.rules import (
    elimination,
    harm_cards,
    interplay,
    simultaneous,
    triggers,
)
from server.games.second_edition.rules.play import Play, because
from server.kernel.asks import Option


async def settle(play: Play) -> None:
    """
    Apply the limits of Damage and Horror to all who reached one. Rules WOUNDED-1 and INSANE-1.

    These investigators become Wounded or Insane, or are eliminated. If the order of several
    matters, the group decides it (CONFLICT-2).
    """
    fallen = [who for who in play.table.standing() if harm_cards.limits_reached(play, who)]
    matters = interplay.limits_matter(play, fallen)
    with because(play, Text("within/limits")):
        ordered = await simultaneous.each_in_order(play, fallen, matters=matters)
    for investigator in ordered:
        # Only the facedown cards are discarded: the faceup ones may reach the limit again.
        while due := harm_cards.limits_reached(play, investigator):
            await _apply_limit(play, investigator, await _choose_first(play, investigator, due))


async def _choose_first(play: Play, investigator: InvestigatorId, due: tuple[Harm, ...]) -> Harm:
    """
    Return the limit that takes effect first; an investigator who reached both chooses.

    DECIDE-54.
    """
    if len(due) == 1:
        return due[0]
    return await play.choose(
        play.seat_of(investigator),
        [Option(harm, Text(f"choice/{harm.value}_first")) for harm in due],
        rule="DECIDE-54",
        about=Text("about/which_first", (investigator,)),
        prompt=Text("ask/which_first"),
    )


async def _apply_limit(play: Play, investigator: InvestigatorId, harm: Harm) -> None:
    """
    Make an investigator Wounded or Insane; eliminate one who is so already.

    WOUNDED-6, INSANE-9.
    """
    who = play.table.investigators[investigator]
    if who.is_wounded if harm is Harm.DAMAGE else who.is_insane:
        await elimination.eliminate(play, investigator)
    elif harm is Harm.DAMAGE:
        become_wounded(play, investigator)
        await announce(play, investigator, harm)
    else:
        become_insane(play, investigator)
        await announce(play, investigator, harm)


async def announce(
    play: Play, investigator: InvestigatorId, harm: Harm, *, is_inner: bool = False
) -> None:
    """Run the triggers for an investigator who becomes Wounded or Insane."""
    await triggers.run(play, interplay.MOMENTS_OF_LIMITS[harm], investigator, is_inner=is_inner)


def become_wounded(play: Play, investigator: InvestigatorId) -> None:
    """
    Give the Wounded Condition and discard the facedown Damage. Rules WOUNDED-2 and WOUNDED-3.

    The Wounded card has no limited supply. An investigator has at most one and never loses it
    (CONDITION-3), so a box with one card for each playable investigator suffices. With fewer cards
    the investigator would be Wounded all the same, as DECIDE-61 says of Insane.
    """
    play.emit(BecameWounded(investigator, interplay.WOUNDED))
    _discard_facedown(play, investigator, Harm.DAMAGE)


def become_insane(play: Play, investigator: InvestigatorId) -> None:
    """
    Give a random Insane Condition, discard the facedown Horror. INSANE-2, INSANE-3, CONDITION-4.

    Only the owner sees the back of the Condition (INSANE-7, SECRET-7). If no Insane Condition is
    left, the investigator is Insane without a card (DECIDE-61).
    """
    # On the log, an empty handle and back mean that no card was left.
    handle, back = "", ""
    if play.table.piles.get(INSANE_DECK):
        play.shuffle(INSANE_DECK)
        handle = play.table.piles[INSANE_DECK][0]
        back = play.table.card_of(handle)
    play.emit(BecameInsane(investigator, interplay.INSANE, handle, hidden(back)))
    _discard_facedown(play, investigator, Harm.HORROR)


def _discard_facedown(play: Play, investigator: InvestigatorId, harm: Harm) -> None:
    facedown = harm_cards.facedown(play, investigator, harm)
    harm_cards.discard(play, investigator, harm, facedown)
