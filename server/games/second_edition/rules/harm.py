"""
Damage and Horror: suffered, prevented, healed, turned.

Rules DAMAGE-1 to DAMAGE-9 and NEGATE-1 to NEGATE-4, with DECIDE-50 to DECIDE-58. `wounds` has the
consequences of too much Damage or Horror.
"""

from typing import Any

from protocol.common.asks import Point
from protocol.common.table import Handle
from protocol.common.text import Text
from protocol.games.second_edition.events import HarmPrevented
from protocol.games.second_edition.table import FaceupCard, Harm, InvestigatorId, Skill
from server.games.second_edition.rules import harm_cards, stakes, wounds
from server.games.second_edition.rules.effects import resolve
from server.games.second_edition.rules.play import Play, Source
from server.games.second_edition.rules.skill_test import make_test
from server.kernel.asks import Option


async def suffer(
    play: Play,
    investigator: InvestigatorId,
    *,
    damage: int = 0,
    horror: int = 0,
    facedown: bool = False,
    is_inner: bool = False,
) -> None:
    """
    Make an investigator suffer the Damage and Horror of one effect. WOUNDED-4, INSANE-4.

    Cards are taken one at a time, and each Resolve Immediately text is resolved before the next
    card (DECIDE-51). The limits are checked after the last card.

    Args:
        play: the game.
        investigator: the investigator who suffers.
        damage: number of Damage cards.
        horror: number of Horror cards, taken after the Damage.
        facedown: True if the cards are taken facedown. Rule DAMAGE-2.
        is_inner: True if an outer effect still inflicts harm; the limits are then checked after it.
    """
    for harm in (Harm.DAMAGE,) * damage + (Harm.HORROR,) * horror:
        if play.table.investigators[investigator].is_eliminated:
            break
        if facedown:
            harm_cards.take_facedown(play, investigator, harm)
        elif (handle := harm_cards.take_faceup(play, investigator, harm)) is not None:
            # What the text inflicts belongs to the same harm: the thresholds wait for both.
            await _resolve_text(play, investigator, harm, handle, is_inner=True)
    if not is_inner:
        await wounds.settle(play)


async def _resolve_text(
    play: Play, investigator: InvestigatorId, harm: Harm, handle: Handle, *, is_inner: bool
) -> None:
    """Resolve the Resolve Immediately text of a card just turned faceup. Rule DAMAGE-4."""
    card = play.content.pack.harms[play.table.card_of(handle)]
    source = Source(investigator, harm=harm, handle=handle, is_inner=is_inner)
    with play.within(Text(card.id, field="name")):
        await resolve(play, card.resolve, source)


async def negate(
    play: Play,
    investigator: InvestigatorId,
    *,
    skill: Skill,
    modifier: int = 0,
    damage: int = 0,
    horror: int = 0,
    facedown: bool = False,
    is_inner: bool = False,
    is_read: bool = False,
) -> int:
    """
    Test a skill, then suffer harm, less one card for each success. Rules NEGATE-1 to NEGATE-4.

    Args:
        is_read: True if the effect reads the result afterwards, so that successes beyond the harm
            count too (CLUE-4, TEST-8).

    Returns:
        The result of the test.
    """
    about = _counted("about/negate", damage, horror, investigator)
    at_stake = stakes.of_negation(damage, horror, is_read=is_read)
    successes = await make_test(
        play, investigator, skill, modifier=modifier, about=about, stakes=at_stake
    )
    saved = await _assign(play, investigator, successes, damage, horror)
    for harm, count in zip(Harm, saved, strict=True):
        if count:
            play.emit(HarmPrevented(investigator, harm, count))
    await suffer(
        play,
        investigator,
        damage=damage - saved[0],
        horror=horror - saved[1],
        facedown=facedown,
        is_inner=is_inner,
    )
    return successes


def _counted(subject: str, damage: int, horror: int, *whose: InvestigatorId) -> Text:
    """Return a text with the counts of Damage and Horror; a count of 0 is left out."""
    if damage and horror:
        return Text(subject, (*whose, damage, horror))
    if damage:
        return Text(f"{subject}_damage", (*whose, damage))
    return Text(f"{subject}_horror", (*whose, horror))


async def _assign(
    play: Play, investigator: InvestigatorId, successes: int, damage: int, horror: int
) -> tuple[int, int]:
    """
    Return the Damage and the Horror that the investigator chooses to prevent.

    NEGATE-3, DECIDE-57.
    """
    saved = min(successes, damage + horror)
    splits = [(d, saved - d) for d in range(damage, -1, -1) if 0 <= saved - d <= horror]
    if len(splits) == 1:
        return splits[0]
    return await play.choose(
        play.seat_of(investigator),
        [Option(split, _counted("choice/prevent", *split)) for split in splits],
        rule="NEGATE-3",
        about=_counted("about/negate", damage, horror, investigator),
        prompt=Text("ask/prevent", (successes, damage, horror)),
    )


async def heal(
    play: Play, investigator: InvestigatorId, *, damage: int = 0, horror: int = 0
) -> None:
    """Discard up to the given numbers of Damage and Horror cards. Rule DAMAGE-9."""
    for harm in (Harm.DAMAGE,) * damage + (Harm.HORROR,) * horror:
        handle = await _choose_healed(play, investigator, harm)
        if handle is not None:
            harm_cards.discard(play, investigator, harm, (handle,))


def _card_option(subject: str, card: FaceupCard) -> Option[Any]:
    return Option(card.handle, Text(subject, (card.card,)), (Point("card", card.handle),))


async def _choose_healed(play: Play, investigator: InvestigatorId, harm: Harm) -> Handle | None:
    """
    Return the card that an investigator heals; None if they have none. Rule DAMAGE-9.

    The investigator chooses a faceup card, or leaves the choice to chance among the facedown ones.
    """
    faceup = play.table.investigators[investigator].faceup_cards(harm)
    options: list[Option[Handle | None]] = [
        _card_option("choice/discard_card", card) for card in faceup
    ]
    # One option for all of them: their owner may know the faces, and must not choose by them.
    if down := harm_cards.facedown(play, investigator, harm):
        points = tuple(Point("card", handle) for handle in down)
        options.append(Option(None, Text(f"choice/discard_facedown_{harm.value}"), points))
    if not options:
        return None
    chosen = options[0].value
    if len(options) > 1:
        chosen = await play.choose(
            play.seat_of(investigator),
            options,
            rule="DAMAGE-9",
            about=Text("about/heal", (investigator,)),
            prompt=Text(f"ask/heal_{harm.value}"),
        )
    return harm_cards.pick_facedown(play, investigator, harm) if chosen is None else chosen


async def turn_facedown(
    play: Play, investigator: InvestigatorId, harm: Harm, count: int = 1
) -> None:
    """Turn up to `count` faceup cards of the investigator's choice facedown."""
    for _ in range(count):
        faceup = play.table.investigators[investigator].faceup_cards(harm)
        if not faceup:
            return
        handle = faceup[0].handle
        if len(faceup) > 1:
            handle = await play.choose(
                play.seat_of(investigator),
                [_card_option("choice/turn_card", card) for card in faceup],
                rule="DAMAGE-6",
                about=Text("about/turn_facedown", (investigator,)),
                prompt=Text(f"ask/turn_{harm.value}"),
            )
        harm_cards.turn_facedown(play, investigator, harm, handle)


async def turn_faceup(
    play: Play,
    investigator: InvestigatorId,
    harm: Harm,
    count: int = 1,
    *,
    is_inner: bool = False,
) -> None:
    """
    Turn up to `count` random cards faceup, then resolve their texts.

    Rules DAMAGE-8 and DAMAGE-4.
    """
    for handle in harm_cards.turn_faceup(play, investigator, harm, count):
        # The text of one that was turned with it may have moved it.
        if harm_cards.is_faceup(play, investigator, harm, handle):
            await _resolve_text(play, investigator, harm, handle, is_inner=is_inner)
