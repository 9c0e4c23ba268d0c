"""Sentences of plain mode about a game: its sides, round, phase and clock."""

from collections.abc import Iterator, Sequence

from client.games.first_edition.moment import moment_of
from client.games.first_edition.odds import fixed_test
from client.games.first_edition.outdoors import is_in_water, story_before, tales_kept
from client.games.first_edition.panes.scene import FirstEditionScene
from client.games.first_edition.panes.sides import monster_values
from client.games.first_edition.speaker import in_game
from client.locale.speaker import Speaker
from protocol.common.table import GameTable
from protocol.games.first_edition.table import (
    MYTHOS_HAND,
    TRAUMA_HAND,
    Ally,
    FirstEditionTable,
    Investigator,
)


def party_lines(scene: FirstEditionScene, game: FirstEditionTable) -> Iterator[str]:
    """Yield a line for each investigator and ally, for the keeper, and for each monster."""
    speaker, say = scene.speaker, scene.speaker.say
    for who in game.investigators.values():
        yield " ".join(_person(scene, game, who))
    for ally in game.allies.values():
        yield " ".join(_ally(scene, game, ally))
    sizes = (len(game.hand(MYTHOS_HAND)), len(game.hand(TRAUMA_HAND)))
    yield say("plain.keeper", game.threat, *sizes)
    if game.hidden_actions:
        yield say("plain.hidden_actions", len(game.hidden_actions))
    for monster in game.monsters.values():
        name, place = speaker.monster(game, monster), speaker.space(game, monster.space)
        parts = [say("plain.monster_at", name, place, monster_values(scene, monster))]
        if monster.back.is_open:
            parts.append(say("monster.damage", monster.damage, monster.back.value.health))
        elif monster.damage:
            parts.append(say("monster.damage_unknown", monster.damage))
        if monster.stun:
            parts.append(say("monster.stunned", monster.stun))
        if monster.monster_id in game.trapped:
            parts.append(say("box.trapped"))
        yield " ".join(parts)


def _person(scene: FirstEditionScene, game: FirstEditionTable, who: Investigator) -> Iterator[str]:
    speaker, say = scene.speaker, scene.speaker.say
    yield say(
        "plain.investigator",
        speaker.investigator(who.investigator_id),
        speaker.seat(scene.table, who.seat),
        speaker.space(game, who.space),
        max(0, who.health_left),
        who.health,
        who.sanity_left,
        who.sanity,
        who.skill_points,
    )
    yield from _states(scene, game, who)
    if who.hidden_in is not None:
        yield say("box.hidden")
    traumas = [speaker.card(card) for card in (who.injury, who.insanity) if card is not None]
    if traumas:
        yield say("plain.trauma", ", ".join(traumas))
    if who.face_down:
        yield say("plain.face_down", len(who.face_down))
    yield from _cards(scene, game, who, [one.card for one in who.spells])


def _ally(scene: FirstEditionScene, game: FirstEditionTable, ally: Ally) -> Iterator[str]:
    speaker, say = scene.speaker, scene.speaker.say
    yield say(
        "plain.ally",
        speaker.character(ally.ally_id),
        speaker.space(game, ally.space),
        max(0, ally.health_left),
        ally.health,
        ally.sanity_left,
        ally.sanity,
    )
    yield from _states(scene, game, ally)
    yield from _cards(scene, game, ally, ())
    left = len(game.tales.get(ally.ally_id, ()))
    yield say("plain.ally_left", left) if left else say("plain.ally_silent")
    told = speaker.told(game, ally.ally_id)
    if told:
        yield say("plain.ally_told", told)


def _states(
    scene: FirstEditionScene, game: FirstEditionTable, who: Investigator | Ally
) -> Iterator[str]:
    """Yield the states that investigators and allies have."""
    say = scene.speaker.say
    if who.stun:
        yield say("plain.stunned", who.stun)
    if who.curses:
        yield say("plain.cursed", who.curses)
    if who.character_id in game.trapped:
        yield say("box.trapped")
    if is_in_water(game, who.space):
        yield say("box.in_water")
    if who.fixed_test is not None:
        yield fixed_test(scene.speaker, who.fixed_test)
    if who.is_insane:
        yield say("plain.insane")


def _cards(
    scene: FirstEditionScene,
    game: FirstEditionTable,
    who: Investigator | Ally,
    spells: Sequence[str],
) -> Iterator[str]:
    """Yield cards of the story before somebody, then items and spells."""
    speaker, say = scene.speaker, scene.speaker.say
    story = story_before(game, who.character_id)
    if story:
        yield say("plain.story_cards", ", ".join(map(speaker.story_card, story)))
    held = [*(one.card for one in who.items), *spells, *tales_kept(game, who.character_id)]
    if held:
        yield say("plain.has", ", ".join(map(speaker.card, held)))


def status(base: Speaker, game: GameTable) -> Iterator[str]:
    """Yield the round and the phase, the current turn, the next event, and the clues."""
    assert isinstance(game, FirstEditionTable)
    speaker = in_game(base)
    yield ", ".join(moment_of(game).phase(speaker)) + "."
    if game.active is not None:
        name = speaker.investigator(game.active)
        yield speaker.say("plain.turn_of", name, game.steps_left, int(game.has_action))
    if game.events:
        yield speaker.say("box.event", game.time, game.event_time, len(game.events))
    yield speaker.say("plain.clues", len(game.clues), game.clues_left)
