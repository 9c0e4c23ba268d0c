"""The monster drawer: all known facts about each monster."""

from collections.abc import Iterator

from client.games.first_edition.panes.legend import damage_of
from client.games.first_edition.panes.scene import FirstEditionScene, scene_of
from client.games.first_edition.panes.sides import monster_values
from client.screens.base.choices import choices_about
from client.widgets import scene as any_game
from client.widgets.paragraphs import HEAD, Paragraph, Row
from protocol.event import EVERYBODY
from protocol.games.first_edition.table import FirstEditionTable, Monster

_DIM = "class:dim"
_PRIVATE = "class:journal.private"


def monster_rows(base: any_game.Scene) -> list[Row]:
    """Return a row for each monster, in order of appearance: name, damage and space."""
    scene = scene_of(base)
    game, rows = scene.game, list[Row]()
    for monster in game.monsters.values() if game is not None else ():
        assert game is not None
        place = scene.speaker.space(game, monster.space)
        parts = (scene.speaker.monster(game, monster), damage_of(monster), place)
        text = "  ".join(part for part in parts if part)
        sides = (tuple(_facts(scene, game, monster)),)
        rows.append(Row(monster.monster_id, text, sides, about=("monster", monster.kind)))
    return rows


def _facts(
    scene: FirstEditionScene, game: FirstEditionTable, monster: Monster
) -> Iterator[Paragraph]:
    """Yield place, values, damage and back of a monster. K-SECRET-14, K-SECRET-15."""
    speaker = scene.speaker
    yield HEAD, speaker.monster(game, monster)
    yield _DIM, speaker.space(game, monster.space)
    yield "", monster_values(scene, monster)
    if monster.stun:
        yield "", speaker.say("monster.stunned", monster.stun)
    if monster.is_flying:
        yield "", speaker.say("monster.flying")
    if monster.monster_id in game.trapped:
        yield "", speaker.say("box.trapped")
    if monster.is_named:
        yield "", speaker.say("monster.named")
    yield "", ""
    if not monster.back.is_open:
        yield "", speaker.say("monster.damage_unknown", monster.damage)
        yield _DIM, speaker.say("monster.back_unknown")
    else:
        back, is_private = monster.back.value, EVERYBODY not in monster.back.audience
        yield "", speaker.say("monster.damage", monster.damage, back.health)
        key = "monster.back_private" if is_private else "monster.back"
        yield _PRIVATE if is_private else _DIM, speaker.say(key, speaker.card(back.back))
        for text in speaker.details("card", back.back):
            yield "", f"  {text}"
    for text in speaker.reading("monster", monster.kind):
        yield "", ""
        yield "", text
    yield from choices_about(scene, "monster", monster.monster_id)
