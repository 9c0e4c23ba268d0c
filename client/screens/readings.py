"""Readings: the texts of a game's boxes, made from the table as it is at that moment."""

from collections.abc import Callable, Sequence

import attrs

from client.games.second_edition.boxes.inventory import inventory
from client.games.second_edition.boxes.monsters import drawer
from client.games.second_edition.panes.dice import CONVERTED
from client.games.second_edition.panes.legend import figure_legend, legend, line_legend, room_legend
from client.games.second_edition.panes.scene import Scene
from client.keymap.keys import Action, Context
from client.model.journal import JournalLine
from client.screens.boxes import HEAD, Paragraph, TextBox, help_box
from client.screens.journal_box import JournalBox
from client.screens.map_box import MapBox
from client.screens.save_journal import save_journal
from client.screens.screen import Desk
from client.screens.shelf import Shelf
from client.screens.story import book
from client.tellers import DICE
from client.widgets.canvas import Styled


@attrs.frozen(eq=False)
class Reader:
    """Opens what can be read about a game, at the moment that a screen shows."""

    desk: Desk
    context: Context
    scene: Callable[[], Scene]
    lines: Callable[[], Sequence[JournalLine]]
    help_now: Callable[[], Sequence[Paragraph]]
    """What the help says of this very moment."""

    def open(self, action: Action) -> bool:
        """Open a box; return whether the action means one."""
        desk = self.desk
        if action is Action.CARDS:
            desk.open(Shelf(desk, "box.inventory", lambda: inventory(self.scene()), "box.nothing"))
        elif action is Action.MONSTERS:
            desk.open(drawer(desk, self.scene))
        elif action is Action.OBJECTIVE:
            desk.open(TextBox(desk, "box.objective", lambda: objective(self.scene())))
        elif action is Action.STORY:
            desk.open(book(desk, self.lines))
        elif action is Action.WHOLE_MAP:
            desk.open(MapBox(desk, self.scene))
        elif action is Action.JOURNAL:
            desk.open(JournalBox(desk, self.lines, self._save))
        elif action is Action.HELP:
            desk.open(help_box(desk, self.context, self.help_now, lambda: signs(self.scene())))
        else:
            return False
        return True

    def _save(self) -> None:
        save_journal(self.desk, self.scene(), self.lines())


def objective(scene: Scene) -> list[Paragraph]:
    """Return what the group is after, and what time is left where that is known."""
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


def signs(scene: Scene) -> list[Paragraph]:
    """Return what every sign on the map means."""
    entries = [
        *figure_legend(scene),
        *legend(scene),
        *line_legend(scene),
        *room_legend(scene),
    ]
    say = scene.speaker.say
    faces = [*((sign, f"dice.{face.value}") for face, sign in DICE.items())]
    dice = [("", f"{sign} {say(key)}") for sign, key in (*faces, (CONVERTED, "dice.converted"))]
    return [
        *(("", ""), (HEAD, say("box.signs")), *map(_flat, entries)),
        *(("", ""), (HEAD, say("dice.title")), *dice),
        *(("", ""), (HEAD, say("pane.party")), ("", say("party.signs"))),
    ]


def _flat(entry: Styled) -> Paragraph:
    return "", "".join(text for _, text in entry)
