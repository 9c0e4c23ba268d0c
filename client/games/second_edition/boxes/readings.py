"""Readings of the second edition other than cards and monsters: the objective, and the signs."""

from client.boards.labels import labels
from client.boards.legend import line_legend, room_legend
from client.games.second_edition.panes.dice import CONVERTED
from client.games.second_edition.panes.legend import figure_legend, legend_entries
from client.games.second_edition.panes.scene import scene_of
from client.games.second_edition.tellers.base import DICE
from client.widgets import scene as any_game
from client.widgets.paragraphs import HEAD, Paragraph


def objective(base: any_game.Scene) -> list[Paragraph]:
    """Return the chapter and the objective, and the time that is left if it is known."""
    scene = scene_of(base)
    game = scene.game
    if game is None or game.objective is None:
        lines = [("", scene.speaker.say("box.no_objective"))]
    else:
        lines = [("", scene.speaker.text(game.objective))]
    if game is not None and game.chapter is not None:
        lines = [(HEAD, scene.speaker.text(game.chapter)), *lines]
    if game is None:
        return lines
    if game.countdown is not None:
        lines.append(("", scene.speaker.say("box.last_round", game.countdown)))
    return [*lines, *(("", scene.speaker.timer(timer)) for timer in game.timers.values())]


def signs(base: any_game.Scene) -> list[Paragraph]:
    """Return the meaning of every sign on the map, on dice, and in the party."""
    scene = scene_of(base)
    game, entries = scene.game, line_legend(scene)
    if game is not None:
        known = labels(game.tiles, game.map, scene.speaker)
        entries = [
            *figure_legend(scene, game),
            *(entry.line for entry in legend_entries(scene, game)),
            *entries,
            *room_legend(known.values()),
        ]
    say = scene.speaker.say
    faces = [*((sign, f"dice.{face.value}") for face, sign in DICE.items())]
    dice = [("", f"{sign} {say(key)}") for sign, key in (*faces, (CONVERTED, "dice.converted"))]
    flat = [("", "".join(text for _, text in entry)) for entry in entries]
    return [
        *(("", ""), (HEAD, say("box.signs")), *flat),
        *(("", ""), (HEAD, say("dice.title")), *dice),
        *(("", ""), (HEAD, say("pane.party")), ("", say("party.signs"))),
    ]
