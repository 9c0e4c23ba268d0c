"""Keeper actions: step 4 of the keeper's turn. K-KEEPER-7 to K-KEEPER-9, K-CARD-3."""

import functools

from content.games.first_edition.schema import effects as schema
from content.games.first_edition.schema.effects import Effect, Step
from protocol.common.asks import Point, RefusedChoice
from protocol.common.table import Handle
from protocol.common.text import Text
from protocol.games.first_edition.events import KeeperActed, KeeperStepBegan
from protocol.games.first_edition.table import (
    MYTHOS_DECK,
    TRAUMA_DECK,
    InvestigatorId,
    KeeperAction,
    KeeperStep,
    TraumaTrigger,
    story_deck,
)
from protocol.games.first_edition.words import FeatureKind, TraumaKind
from server.games.first_edition.rules import (
    allies,
    effects,
    features,
    hidden_actions,
    lacking,
    monster_attacks,
    monster_moves,
    places,
    requirements,
    story_decks,
    tales,
    targets,
    trauma,
)
from server.games.first_edition.rules.play import Play, Source, keeper
from server.kernel.asks import Option
from server.rulekit.offers import Offers, PlayerAction, refusal, together


async def step(play: Play) -> None:
    """Ask the keeper for one keeper action, or to go on. K-KEEPER-7 to K-KEEPER-9."""
    if not may_act(play):
        play.emit(KeeperStepBegan(KeeperStep.ATTACKS))
        return
    cards = [offers(play, one) for one in (*play.table.actions, *hidden_actions.left(play))]
    found = together([*cards, insanity_offers(play), allies.keeper_offers(play)])

    async def go_on() -> None:
        play.emit(KeeperStepBegan(KeeperStep.ATTACKS))

    done = Option[PlayerAction](go_on, Text("choice/end_actions"), (), "rest", ends=True)
    perform = await play.choose(
        keeper(play),
        (done, *found.options),
        rule="K-KEEPER-7",
        about=Text("about/keeper_actions"),
        prompt=Text("ask/keeper_action", (play.table.threat,)),
        refused=found.refused,
    )
    await perform()


def may_act(play: Play) -> bool:
    """
    Return whether the keeper may have an action left. K-KEEPER-8, K-KEEPER-9, K-INSANE-6.

    It follows from public facts alone: without an affordable action there is nothing to ask. An
    insane investigator is asked about even if the keeper has no insanity in hand, and as long as
    actions are hidden, the keeper is asked whatever they cost (W-KACTION-1).
    """
    table = play.table
    if (
        table.hidden_actions
        or any(
            one.is_insane and one.investigator_id not in table.insanities
            for one in table.investigators.values()
        )
        or allies.adrift(play)
    ):
        return True
    return any(
        not (one.is_once and one.uses)
        and one.threat <= table.threat
        and all(table.counters[name].amount >= cost for name, cost in one.tokens)
        for one in table.actions
    )


def offers(play: Play, action: KeeperAction) -> Offers:
    """Offer a keeper action, or say why not. K-KEEPER-8, K-KEEPER-9, K-DECIDE-105."""
    table, card = play.table, play.content.pack.actions[action.card]
    text = Text("choice/keeper_action", (action.card, action.threat))
    if action.is_once and action.uses:
        return refusal(text, Text("refusal/once"), "K-KEEPER-9")
    if table.threat < action.threat:
        reason = Text("refusal/threat", (action.threat, table.threat))
        return refusal(text, reason, "K-KEEPER-8")
    for name, cost in action.tokens:
        if table.counters[name].amount < cost:
            token = table.counters[name].name
            return refusal(text, Text("refusal/tokens", (cost, token)), "K-DECIDE-105")
    if not requirements.holds(play, card.requires, Source(card.id)):
        return refusal(text, lacking.reason(play, card.requires, Source(card.id)), "K-CARD-3")
    if not does_something(play, card.effect, Source(card.id)):
        return refusal(text, Text("refusal/no_target"), "K-CARD-3")
    perform = functools.partial(perform_action, play, action.card)
    return Offers((Option(perform, text, (), "keeper"),))


async def perform_action(play: Play, card_id: str) -> None:
    """Pay for a keeper action and resolve it. K-KEEPER-7, K-KEEPER-8, W-DECIDE-43, W-DECIDE-45."""
    card = play.content.pack.actions[card_id]
    hidden_actions.show(play, card_id)
    play.emit(KeeperActed(card_id))
    await effects.resolve(play, card.effect, Source(card_id))


def insanity_offers(play: Play) -> Offers:
    """
    Offer an insanity on each insane investigator, once a turn and at no cost.

    K-INSANE-5 to K-INSANE-7, K-DECIDE-63. Injuries are not offered.
    """
    options: list[Option[PlayerAction]] = []
    refused: list[RefusedChoice] = []
    cards = trauma.in_hand(play)
    insanities = {at: card for at, card in cards.items() if card.kind is TraumaKind.INSANITY}
    for one in play.table.in_seat_order():
        who = one.investigator_id
        if not one.is_insane:
            continue
        text = Text("choice/insanity_on", (who,))
        if who in play.table.insanities:
            refused.append(RefusedChoice(text, Text("refusal/once"), "K-INSANE-6"))
        elif not insanities:
            refused.append(RefusedChoice(text, Text("refusal/no_insanity"), "K-INSANE-5"))
        else:
            options += [
                Option(
                    functools.partial(play_insanity, play, who, handle),
                    Text("choice/trauma", (card.id, who)),
                    (places.at_investigator(who), Point("card", handle)),
                    "trauma",
                )
                for handle, card in insanities.items()
                if trauma.can_play(play, who, card)
            ]
    return Offers(tuple(options), tuple(refused))


async def play_insanity(play: Play, who: InvestigatorId, handle: Handle) -> None:
    """Play an insanity as a keeper action, without any horror. K-INSANE-5."""
    await trauma.play_on(play, TraumaTrigger(who, TraumaKind.INSANITY), handle, is_action=True)


def does_something(play: Play, effect: Effect, source: Source) -> bool:
    """Return whether a step of an effect finds something to act on. K-CARD-3."""
    told = [step for step in effect if not isinstance(step, (schema.Say, schema.Tally))]
    return not told or any(_acts(play, step, source) for step in told)


def _acts(play: Play, step: Step, source: Source) -> bool:  # noqa: C901, PLR0912 (a case for each)
    """Return whether one step finds something to act on."""
    table = play.table
    match step:
        case schema.When(holds, then, otherwise):
            branch = then if requirements.holds(play, holds, source) else otherwise
            return bool(branch) and does_something(play, branch, source)
        case schema.Choose(options=options):
            allowed = [one for one in options if requirements.holds(play, one.when, source)]
            return any(does_something(play, one.effect, source) for one in allowed)
        case schema.ForEach(who=who):
            return bool(targets.in_question(play, who, source))
        case schema.Draw(mythos, trauma_cards):
            decks = (MYTHOS_DECK,) * (mythos > 0) + (TRAUMA_DECK,) * (trauma_cards > 0)
            return any(table.piles.get(one) or table.discards.get(one) for one in decks)
        case schema.Count(of, add):
            line = table.counters[of]
            return (add < 0 < line.amount) or (
                add > 0 and (line.most is None or line.amount < line.most)
            )
        case schema.PlaceMonster(at=at):
            return bool(places.spaces_at(play, at, source))
        case schema.PlaceFeature(kind, at):
            is_left = kind is not FeatureKind.CORPSE or table.corpses_left > 0
            there = places.of_feature(play, kind, at, source)
            return is_left and bool(features.free(play, kind, there))
        case schema.RemoveFeature(kind, at):
            there = places.of_feature(play, kind, at, source)
            return any(table.features_at(one, kind) for one in there)
        case schema.SpreadFire():
            return bool(features.fire_can_spread_to(play))
        case schema.Unlock(room):
            return room in table.locks
        case schema.PlaceAlly(ally, at):
            return ally not in table.tales and bool(places.spaces_at(play, at, source))
        case schema.RemoveAlly(ally):
            return ally in table.allies
        case schema.Talk(ally):
            return tales.can_talk(play, ally)
        case schema.KeeperExplores(which):
            monsters = targets.which_monsters(play, which, source)
            return bool(story_decks.rooms_to_explore(play, monsters))
        case schema.Ritual(puzzle):
            return puzzle not in table.solved
        case schema.DiscardCard(card):
            return any(one.shown == card for one in table.story_cards.values())
        case schema.Deal(deck, who, room):
            is_for_somebody = room is not None or targets.in_question(play, who, source)
            return bool(table.piles.get(story_deck(deck)) and is_for_somebody)
        case schema.TurnUp(deck, who, room):
            owners = targets.in_question(play, who, source)
            if room is not None:
                owners = places.rooms_at(play, room, source)
            return any(card.owner in owners for card in story_decks.face_down(play, deck))
    return _finds_figure(play, step, source)


def _finds_figure(play: Play, step: Step, source: Source) -> bool:
    """Return whether a step about investigators or monsters finds one; others always act."""
    table = play.table
    match step:
        case schema.MoveMonster(which=which):
            found = targets.which_monsters(play, which, source)
            return any(monster_moves.stays(play, one) is None for one in found)
        case schema.Attack(which=which):
            found = targets.which_monsters(play, which, source)
            return any(monster_attacks.in_reach(play, one) for one in found)
        case schema.HealMonster(which=which):
            found = targets.which_monsters(play, which, source)
            return any(table.monsters[one].damage for one in found)
        case (
            schema.RemoveMonster(which=which)
            | schema.HurtMonster(which=which)
            | schema.KillMonster(which=which)
            | schema.StunMonster(which=which)
        ):
            return bool(targets.which_monsters(play, which, source))
        case (
            schema.Suffer(who=who)
            | schema.Kill(who=who)
            | schema.Stun(who=who)
            | schema.Unstun(who=who)
            | schema.Test(who=who)
            | schema.Automatic(who=who)
            | schema.Move(who=who)
            | schema.SkillPoints(who=who)
            | schema.LoseItem(who=who)
            | schema.Gain(who=who)
            | schema.Cure(who=who)
            | schema.Curse(who=who)
        ):
            return bool(targets.in_question(play, who, source))
        case schema.Heal(who=who) | schema.Uncurse(who=who):
            return bool(targets.in_question(play, who, source, heals=True))
    return True
