"""Spells: cast as an attack or as the action of a card. Section 18, K-DECIDE-58, K-DECIDE-59."""

import functools

from content.games.first_edition.schema.cards import Doing, Trigger
from protocol.common.asks import RefusedChoice
from protocol.common.table import Handle
from protocol.common.text import Text
from protocol.games.first_edition.events import Attacked, SpellDiscarded, SpellTurned
from protocol.games.first_edition.table import InvestigatorId, MonsterId, Spell
from protocol.games.first_edition.words import TestKind
from server.games.first_edition.rules import attacks, effects, mythos, newcomers, places, turn
from server.games.first_edition.rules.play import Play, Refusal, Source
from server.games.first_edition.rules.tests import attribute_test, forbids
from server.kernel.asks import Option
from server.rulekit.offers import Offers, PlayerAction, refusal, together


def offers(play: Play, who: InvestigatorId) -> Offers:
    """Offer to cast each spell; an attack spell at each target. K-SPELL-7, K-DECIDE-59."""
    return together(
        _attacks_with(play, who, spell) if spell.is_attack else _casting(play, who, spell)
        for spell in play.table.investigators[who].spells
    )


def _casting(play: Play, who: InvestigatorId, spell: Spell) -> Offers:
    text = Text("choice/cast", (spell.card,))
    if (reason := _barred(play, who, "card")) is not None:
        return refusal(text, *reason)
    return Offers((Option(functools.partial(cast, play, who, spell.handle), text, (), "use"),))


def _attacks_with(play: Play, who: InvestigatorId, spell: Spell) -> Offers:
    """Offer an attack spell at each monster in its range. K-COMBAT-1, K-SPELL-7."""
    options: list[Option[PlayerAction]] = []
    refused: list[RefusedChoice] = []
    for monster, unfit in attacks.targets(play, who, play.content.pack.spells[spell.card].range):
        text = Text("choice/cast_at", (places.monster_name(play.table, monster), spell.card))
        if unfit is not None:
            refused.append(RefusedChoice(text, *unfit))
            continue
        perform = functools.partial(cast, play, who, spell.handle, monster)
        options.append(Option(perform, text, (places.at_monster(monster),), "fight"))
    reason = _barred(play, who, "attack") or attacks.barred(play, who)
    if options and reason is not None:
        return refusal(Text("choice/cast", (spell.card,)), *reason)
    return Offers(tuple(options), tuple(refused))


def _barred(play: Play, who: InvestigatorId, action: str) -> Refusal | None:
    """Return why an investigator can cast no spell at all. K-ACT-1, K-HIDE-4, K-CARD-5."""
    has = play.table.investigators[who]
    if (reason := turn.lacks_action(play, action)) is not None:
        return reason
    if has.hidden_in is not None:
        return Text("refusal/hidden"), "K-HIDE-4"
    if forbids(play, who, Doing.SPELL):
        return Text("refusal/by_card"), "K-CARD-5"
    return None


async def cast(
    play: Play, who: InvestigatorId, handle: Handle, monster: MonsterId | None = None
) -> None:
    """
    Cast a spell. K-SPELL-1 to K-SPELL-5, K-SPELL-7, K-DECIDE-59.

    The test comes first, then the card is turned over, and everybody learns what it does. Unless
    its back says otherwise it is discarded, and another copy is drawn in its place. An attack needs
    no evade tests.

    Args:
        play: the game.
        who: the investigator.
        handle: the spell.
        monster: the target of an attack spell; None for another spell.
    """
    is_attack = monster is not None
    if not await turn.begin_action(play, who, "attack" if is_attack else "card"):
        return
    spell = _held(play, who, handle)
    if spell is None:
        # A trauma card took it in the evade tests.
        return
    card = play.content.pack.spells[spell.card]
    about = Text("about/cast", (who, spell.card))
    if monster is not None:
        play.emit(Attacked(who, monster, spell.card))
        about = Text("about/cast_at", (who, spell.card, places.monster_name(play.table, monster)))
    # K-DECIDE-55: the test of an attack spell is a test in combat, and stays that of a spell.
    is_passed = await attribute_test(
        play,
        who,
        card.attribute,
        kind=TestKind.COMBAT if is_attack else TestKind.SPELL,
        also=TestKind.SPELL,
        about=about,
        modifier=card.modifier,
    )
    if _held(play, who, handle) is None:
        # A card of the keeper on the failed test killed the caster: nothing is turned over.
        return
    back = next(one for one in card.backs if one.id == play.table.card_of(handle))
    play.emit(SpellTurned(who, handle, back.id))
    source = Source(card.id, who, monster, stakes=Text(back.id), in_combat=is_attack, by_actor=True)
    await effects.resolve(play, back.passed if is_passed else back.failed, source)
    if not back.keep and _held(play, who, handle) is not None:
        play.emit(SpellDiscarded(who, handle))
        newcomers.gain_spell(play, who, card.id)
    if is_attack:
        await mythos.triggered(play, who, Trigger.ATTACKED)


def _held(play: Play, who: InvestigatorId, handle: Handle) -> Spell | None:
    """Return a spell; None if the investigator is gone, or has it no more."""
    has = play.table.investigators.get(who)
    if has is None:
        return None
    return next((one for one in has.spells if one.handle == handle), None)
