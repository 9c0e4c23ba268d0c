"""The monster drawer: all known facts about each monster. Rules MONSTER-13, APP-7."""

from collections.abc import Iterator

from client.games.second_edition.panes.scene import SecondEditionScene, scene_of
from client.screens.base.choices import choices_about
from client.widgets import scene as any_game
from client.widgets.paragraphs import HEAD, Paragraph, Row
from protocol.games.second_edition.table import Monster, SecondEditionTable


def monster_rows(base: any_game.Scene) -> list[Row]:
    """Return a row for each monster, in order of appearance: name, damage and space."""
    scene = scene_of(base)
    game = scene.game
    monsters = game.monsters.values() if game is not None else ()
    return [
        Row(
            monster.monster_id,
            scene.speaker.say(
                "box.monster_row",
                scene.speaker.monster(monster),
                monster.damage,
                monster.health,
                scene.speaker.space(game, monster.space) if game is not None else "",
            ),
            (tuple(monster_menu(scene, monster.monster_id)),),
            about=("monster", monster.kind),
        )
        for monster in monsters
    ]


def monster_menu(scene: SecondEditionScene, monster_id: str) -> list[Paragraph]:
    """
    Return all known facts about one monster. Rule APP-7.

    These are the name and number of its ID token, its place, health, damage and values, the text in
    force, and the viewer's choices about the monster, such as attacking it.
    """
    game = scene.game
    monster = game.monsters.get(monster_id) if game is not None else None
    if game is None or monster is None:
        return [("", scene.speaker.say("box.nothing"))]
    found = list(monster_lines(scene, game, monster))
    if monster.in_force is not None:
        found += [("", ""), (HEAD, scene.speaker.say("box.in_force"))]
        found += [("", f"  {scene.speaker.text(monster.in_force)}")]
    return [*found, *choices_about(scene, "monster", monster_id)]


def monster_lines(
    scene: SecondEditionScene, game: SecondEditionTable, monster: Monster
) -> Iterator[Paragraph]:
    """Yield a monster with its place, its damage and its values. Rules SECRET-11 and SECRET-12."""
    speaker = scene.speaker
    place = speaker.space(game, monster.space)
    yield "class:card", f"* {speaker.monster(monster)} ({place})"
    yield (
        "",
        speaker.say(
            "box.monster",
            monster.damage,
            monster.health,
            monster.awareness,
            monster.horror_rating,
            monster.brawn,
        ),
    )
    for ability in monster.abilities:
        yield "", f"  {speaker.name('ability', ability)}"
        yield from texts_of(scene, "ability", ability)
    yield from texts_of(scene, "monster", monster.kind)


def texts_of(scene: SecondEditionScene, kind: str, piece: str) -> Iterator[Paragraph]:
    for text in scene.speaker.reading(kind, piece):
        yield "", f"  {text}"
