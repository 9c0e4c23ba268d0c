"""Readings: the texts of a game's boxes, made from the table as it is at that moment."""

from collections.abc import Callable, Iterator, Sequence

import attrs

from client.journal import JournalLine
from client.keys import Action, Context
from client.preferences import MapSize
from client.screens.boxes import HEAD, Paragraph, TextBox, help_box
from client.screens.inventory import (
    in_question,
    inventory,
    people,
    skills,
    under_condition,
    under_possession,
)
from client.screens.journal_box import JournalBox
from client.screens.keeping import save_journal
from client.screens.monsters import drawer, monster_lines, texts_of
from client.screens.screen import Desk
from client.screens.shelf import Shelf
from client.screens.story import book
from client.tellers import DICE
from client.widgets.canvas import Styled
from client.widgets.dice import CONVERTED
from client.widgets.legend import figure_legend, legend, line_legend, room_legend
from client.widgets.scene import Scene
from protocol.second_edition.table import Harm, Investigator, Possession, SecondEditionTable

SCROLLS = {
    Action.MAP_UP: (-2, 0),
    Action.MAP_DOWN: (2, 0),
    Action.MAP_LEFT: (0, -6),
    Action.MAP_RIGHT: (0, 6),
}
"""How far each action moves the map: rows and columns."""
_NEXT_SIZE = {
    MapSize.AUTO: MapSize.FULL,
    MapSize.FULL: MapSize.COMPACT,
    MapSize.COMPACT: MapSize.AUTO,
}


def change_map_size(desk: Desk) -> None:
    """Draw the map at the next size, and say which that is."""
    size = _NEXT_SIZE[desk.prefs.map]
    desk.prefs = attrs.evolve(desk.prefs, map=size)
    desk.model.tell(desk.say(f"map.size.{size.value}"))


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
        elif action is Action.JOURNAL:
            desk.open(JournalBox(desk, self.lines, self._save))
        elif action is Action.HELP:
            desk.open(help_box(desk, self.context, self.help_now, lambda: signs(self.scene())))
        else:
            return False
        return True

    def _save(self) -> None:
        save_journal(self.desk, self.scene(), self.lines())


def cards(scene: Scene) -> list[Paragraph]:
    """Return all that people have in front of them, the monsters and what lies about, in full."""
    game = scene.game
    if game is None:
        return [("", scene.speaker.say("box.nothing"))]
    found: list[Paragraph] = [*_in_question(scene)]
    for who in people(scene, game):
        found += [*_belongings(scene, game, who), ("", "")]
    if game.monsters:
        found.append((HEAD, scene.speaker.say("box.monsters")))
    for monster in game.monsters.values():
        found += monster_lines(scene, game, monster)
    if lying := [one for here in game.lying.values() for one in here]:
        found.append((HEAD, scene.speaker.say("box.lying")))
    for possession in lying:
        found += _possession(scene, game, possession)
    return found


def _in_question(scene: Scene) -> Iterator[Paragraph]:
    """Yield the cards that the open question is about, such as one that nobody has yet."""
    cards = in_question(scene)
    if cards:
        yield HEAD, scene.speaker.say("box.in_question")
        for card in cards:
            yield from _card(scene, card)
        yield "", ""


def _belongings(scene: Scene, game: SecondEditionTable, who: Investigator) -> Iterator[Paragraph]:
    speaker = scene.speaker
    yield HEAD, speaker.name("investigator", who.investigator_id)
    yield "", skills(scene, who)
    yield from texts_of(scene, "investigator", who.investigator_id)
    for possession in who.possessions:
        yield from _possession(scene, game, possession)
    for condition in who.conditions:
        yield from _card(scene, condition.card)
        under = under_condition(scene, condition)
        if under.key:
            yield "class:journal.private" if under.is_private else "class:dim", under.says(scene)
        if under.card is not None:
            yield from _card(scene, under.card)
    for harm in Harm:
        for card in who.faceup_cards(harm):
            yield from _card(scene, card.card)
        count = game.facedown_count(who.investigator_id, harm)
        if count:
            yield "", speaker.say("box.facedown", count, speaker.say(f"harm.{harm.value}"))


def _possession(
    scene: Scene, game: SecondEditionTable, possession: Possession
) -> Iterator[Paragraph]:
    """Show the side that lies up, and the other one where anybody may look at it."""
    yield from _card(scene, possession.face)
    under = under_possession(game, possession)
    if under.key:
        yield "class:dim", f"  {under.says(scene)}"
    if under.card is not None:
        yield from texts_of(scene, "card", under.card)


def _card(scene: Scene, card: str) -> Iterator[Paragraph]:
    yield "class:card", f"* {scene.speaker.name('card', card)}"
    yield from texts_of(scene, "card", card)


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
    ]


def _flat(entry: Styled) -> Paragraph:
    return "", "".join(text for _, text in entry)
