"""Plain mode's commands that read the table: the board, the people, the cards."""

from collections.abc import Iterable, Iterator

from client.games.second_edition.boxes.inventory import inventory
from client.games.second_edition.boxes.monsters import monster_rows
from client.games.second_edition.boxes.readings import objective
from client.games.second_edition.panes.board import outlook
from client.games.second_edition.panes.puzzle import open_puzzle, spoken
from client.games.second_edition.panes.scene import SecondEditionScene
from client.games.second_edition.plain.spaces import (
    map_lines,
    names_on_board,
    spaces_around,
    spaces_named,
)
from client.games.second_edition.plain.words import party_lines
from client.games.second_edition.speaker import in_game
from client.locale.speaker import Speaker
from client.model.tables import TableView
from client.plain.choice import UnreadableCommand
from client.plain.command import Command, Takes
from client.plain.game_readings import MARKS, CardReadings, print_board
from client.plain.naming import little_words
from client.plain.talk import PlayerPlace, Talk
from client.settings.preferences import Charset, MapSize
from client.widgets.paragraphs import Row
from protocol.games.second_edition.table import SecondEditionTable


def game_at(talk: Talk) -> SecondEditionTable:
    """Return the game on the table. Raise UnreadableCommand before the game has begun."""
    game = talk.game()
    assert isinstance(game, SecondEditionTable)
    return game


def scene_of(talk: Talk) -> SecondEditionScene:
    """Return the scene that the full screen's readings need."""
    return _scene(talk.speaker, talk.view())


def _scene(speaker: Speaker, view: TableView) -> SecondEditionScene:
    # Plain mode may be read aloud: no box characters.
    return SecondEditionScene(view.table, view.seat, speaker, Charset.ASCII)


def puzzle(speaker: Speaker, view: TableView) -> Iterator[str]:
    """Yield the lines of the open puzzle; none if no puzzle is open."""
    shown = _scene(speaker, view)
    if (found := open_puzzle(shown)) is not None:
        yield from spoken(shown, *found)


def cards_in_question(speaker: Speaker, view: TableView) -> Iterator[str]:
    """Yield the texts of the cards that the open question names."""
    for card in _scene(speaker, view).in_question:
        for text in speaker.details("card", card):
            yield speaker.say("plain.card", speaker.name("card", card), text)


# The board and the people ------------------------------------------------------------------


def look(talk: Talk, _: str) -> None:
    """Describe the board around the player's own investigators."""
    game = game_at(talk)
    talk.print(map_lines(talk.speaker, game, spaces_around(game, talk.view().seat)))


def map_(talk: Talk, argument: str) -> None:
    """Describe the board, or the spaces that the argument names by their room or their contents."""
    game, speaker = game_at(talk), talk.speaker
    if not argument:
        talk.print([*map_lines(speaker, game), *puzzle(talk.speaker, talk.view())])
        return
    spaces = spaces_named(speaker, game, argument, little_words(speaker))
    if not spaces:
        # Raises an error that suggests similar names.
        talk.which(argument, _on_board(talk))
    talk.print(map_lines(speaker, game, spaces))


def draw(talk: Talk, _: str) -> None:
    """Draw the board with its legend."""
    game_at(talk)
    scene = scene_of(talk)
    view = outlook(scene, MapSize.AUTO)
    if view is None:
        raise UnreadableCommand("map.empty")
    print_board(talk, scene, view)


def _on_board(talk: Talk) -> Iterable[str]:
    return names_on_board(talk.speaker, game_at(talk))


def party(talk: Talk, _: str) -> None:
    """Describe all investigators and monsters."""
    talk.print(party_lines(talk.speaker, talk.view(), game_at(talk)))


def goal(talk: Talk, _: str) -> None:
    game_at(talk)
    talk.print(text for _, text in objective(scene_of(talk)))


def monsters(talk: Talk, argument: str) -> None:
    """List the monsters, or print the menu of a monster. Rules MONSTER-13 and APP-7."""
    found = list(game_at(talk).monsters.values())
    if argument:
        monster = found[talk.which(argument, monster_names(talk))]
        row = next(row for row in monster_rows(scene_of(talk)) if row.key == monster.monster_id)
        talk.print(_said(row))
    else:
        talk.tell_list(monster_names(talk), "plain.monsters_hint")


def monster_names(talk: Talk) -> Iterable[str]:
    return [in_game(talk.speaker).monster(monster) for monster in game_at(talk).monsters.values()]


# Cards -------------------------------------------------------------------------------------


def _rows(talk: Talk) -> list[Row]:
    scene = scene_of(talk)
    return [*inventory(scene), *monster_rows(scene)]


def _said(row: Row) -> list[str]:
    """
    Return the lines of a row of the inventory, without the marks that only a box needs.

    The first side already describes the other side, so of the other sides only new lines follow.
    """
    up, *others = row.sides or ((("", row.text),),)
    lines = [text.strip(MARKS) for _, text in up]
    for style, text in (paragraph for side in others for paragraph in side):
        if not style and text not in lines:
            lines.append(text)
    return [line for line in lines if line]


CARDS = CardReadings(_rows, _said)

_GAME = frozenset({PlayerPlace.GAME})
_TABLE = frozenset({PlayerPlace.WAITING, PlayerPlace.GAME})

READINGS = (
    Command("look", look, _GAME, is_reading=True),
    Command("map", map_, _GAME, Takes.NAMES, is_reading=True, offers=_on_board),
    Command("draw", draw, _GAME, is_reading=True),
    Command("party", party, _GAME, is_reading=True),
    Command("cards", CARDS.read, _TABLE, Takes.NAMES, is_reading=True, offers=CARDS.names),
    Command("monsters", monsters, _GAME, Takes.NAMES, is_reading=True, offers=monster_names),
    Command("objective", goal, _GAME, is_reading=True),
)
"""Readings in the order of help."""
