"""Readings: the texts of a game's boxes, made from the table as it is at that moment."""

from collections.abc import Callable, Iterable, Iterator, Sequence

import attrs

from client.journal import JournalLine, Tone
from client.keys import Action, Context
from client.preferences import MapSize
from client.screens.boxes import Paragraph, TextBox, help_box
from client.screens.screen import Desk
from client.widgets.canvas import Styled
from client.widgets.legend import figure_legend, legend, line_legend, room_legend
from client.widgets.scene import Scene
from protocol.second_edition.table import (
    Harm,
    Investigator,
    Monster,
    Possession,
    SecondEditionTable,
    Skill,
)

HEAD = "class:title"
CARDS = ("item", "spell", "condition", "damage", "horror")
"""What the id of a card begins with, where its face may be read."""
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
            desk.open(TextBox(desk, "box.cards", lambda: cards(self.scene())))
        elif action is Action.OBJECTIVE:
            desk.open(TextBox(desk, "box.objective", lambda: objective(self.scene())))
        elif action is Action.JOURNAL:
            desk.open(journal_box(desk, self.lines))
        elif action is Action.HELP:
            desk.open(help_box(desk, self.context, self.help_now, lambda: signs(self.scene())))
        else:
            return False
        return True


def cards(scene: Scene) -> list[Paragraph]:
    """Return all that people have in front of them, the monsters and what lies about, in full."""
    game = scene.game
    if game is None:
        return [("", scene.speaker.say("box.nothing"))]
    found: list[Paragraph] = [*_in_question(scene)]
    people = sorted(game.investigators.values(), key=lambda who: who.seat != scene.seat)
    for who in people:
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
    ask = scene.table.room.ask
    named = [name for name in ask.about.params if isinstance(name, str)] if ask else []
    cards = [name for name in named if name.partition("/")[0] in CARDS]
    if cards:
        yield HEAD, scene.speaker.say("box.in_question")
        for card in cards:
            yield from _card(scene, card)
        yield "", ""


def _belongings(scene: Scene, game: SecondEditionTable, who: Investigator) -> Iterator[Paragraph]:
    speaker = scene.speaker
    yield HEAD, speaker.name("investigator", who.investigator_id)
    skills = ", ".join(
        f"{speaker.say(f'skill.{skill.value}')} {who.skills[skill]}"
        for skill in Skill
        if skill in who.skills
    )
    yield "", skills
    yield from _texts(scene, "investigator", who.investigator_id)
    for possession in who.possessions:
        yield from _possession(scene, game, possession)
    for condition in who.conditions:
        yield from _card(scene, condition.card)
        if condition.back is not None and condition.back.is_open and condition.back.value:
            yield "class:journal.private", speaker.say("box.back")
            yield from _card(scene, condition.back.value)
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
    speaker = scene.speaker
    yield from _card(scene, possession.face)
    if possession.turned_to is not None:
        yield "class:dim", speaker.say("box.its_front", speaker.name("card", possession.card))
        yield from _texts(scene, "card", possession.card)
    elif possession.handle:
        yield "class:dim", speaker.say("box.unknown_back")
    elif (back := game.backs.get(possession.card)) is not None:
        yield "class:dim", speaker.say("box.its_back", speaker.name("card", back))
        yield from _texts(scene, "card", back)


def _card(scene: Scene, card: str) -> Iterator[Paragraph]:
    yield "class:card", f"* {scene.speaker.name('card', card)}"
    yield from _texts(scene, "card", card)


def _texts(scene: Scene, kind: str, piece: str) -> Iterator[Paragraph]:
    for text in scene.speaker.details(kind, piece):
        yield "", f"  {text}"


def monster_lines(scene: Scene, game: SecondEditionTable, monster: Monster) -> Iterator[Paragraph]:
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
        yield from _texts(scene, "ability", ability)
    yield from _texts(scene, "monster", monster.kind)


def objective(scene: Scene) -> list[Paragraph]:
    """Return what the group is after, and what time is left where that is known."""
    game = scene.game
    if game is None or game.objective is None:
        lines = [("", scene.speaker.say("box.no_objective"))]
    else:
        lines = [("", scene.speaker.text(game.objective))]
    if game is not None and game.chapter is not None:
        lines = [(HEAD, scene.speaker.text(game.chapter)), *lines]
    timers = () if game is None else tuple(game.timers.values())
    return [*lines, *(("", scene.speaker.timer(timer)) for timer in timers)]


def signs(scene: Scene) -> list[Paragraph]:
    """Return what every sign on the map means."""
    entries = [
        *figure_legend(scene),
        *legend(scene),
        *line_legend(scene),
        *room_legend(scene),
    ]
    return [("", ""), (HEAD, scene.speaker.say("box.signs")), *map(_flat, entries)]


def _flat(entry: Styled) -> Paragraph:
    return "", "".join(text for _, text in entry)


def journal(lines: Iterable[JournalLine]) -> list[Paragraph]:
    """Return lines of the journal, each as it is meant."""
    heads = {Tone.ROUND: "== ", Tone.PRIVATE: "# ", Tone.CHAT: "> ", Tone.ROOM: ". "}
    return [
        (f"class:journal.{line.tone.value}", heads.get(line.tone, "") + line.text) for line in lines
    ]


@attrs.define(eq=False)
class _Rounds:
    """The journal, open at the page of one round. Rule APP-4."""

    lines: Callable[[], Sequence[JournalLine]]
    _round: int | None = None
    """None for the latest."""

    def _all(self) -> list[int]:
        return sorted({line.round_number for line in self.lines()} or {0})

    def _here(self) -> int:
        return self._all()[-1] if self._round is None else self._round

    def page(self) -> list[Paragraph]:
        """Return what happened in that round."""
        return journal(line for line in self.lines() if line.round_number == self._here())

    def place(self, desk: Desk) -> str:
        """Return which page it is, of how many."""
        rounds = self._all()
        if not self._here():
            return desk.say("box.before_rounds", len(rounds))
        return desk.say("box.round", self._here(), rounds.index(self._here()) + 1, len(rounds))

    def turn(self, by: int) -> None:
        """Turn to another round, if there is one."""
        rounds = self._all()
        at = max(0, min(rounds.index(self._here()) + by, len(rounds) - 1))
        self._round = None if at == len(rounds) - 1 else rounds[at]


def journal_box(desk: Desk, lines: Callable[[], Sequence[JournalLine]]) -> TextBox:
    """Return the journal with a page for each round, open at the latest. Rules APP-3 and APP-4."""
    rounds = _Rounds(lines)
    return TextBox(
        desk,
        "box.journal",
        rounds.page,
        at_end=True,
        caption=lambda: rounds.place(desk),
        turn=rounds.turn,
    )
