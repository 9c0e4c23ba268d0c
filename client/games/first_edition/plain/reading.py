"""Plain mode's commands that read the table: the board, the people, the cards."""

from collections.abc import Iterable, Iterator

from client.games.first_edition.boxes.inventory import inventory
from client.games.first_edition.boxes.monsters import monster_rows
from client.games.first_edition.boxes.readings import objective
from client.games.first_edition.odds import odds
from client.games.first_edition.panes.board import outlook
from client.games.first_edition.panes.puzzle import spoken
from client.games.first_edition.panes.scene import FirstEditionScene
from client.games.first_edition.plain.spaces import (
    map_lines,
    names_on_board,
    spaces_around,
    spaces_called,
)
from client.games.first_edition.plain.words import party_lines
from client.games.first_edition.speaker import in_game
from client.locale.speaker import Speaker
from client.model.tables import TableView
from client.plain.choice import UnreadableCommand
from client.plain.command import Command, Takes
from client.plain.game_readings import MARKS, CardReadings, print_board
from client.plain.naming import little_words
from client.plain.talk import PlayerPlace, Talk
from client.settings.preferences import Charset, MapSize
from client.widgets.paragraphs import Row
from protocol.games.first_edition.table import FirstEditionTable


def game_at(talk: Talk) -> FirstEditionTable:
    """Return the game on the table. Raise UnreadableCommand before the game has begun."""
    game = talk.game()
    assert isinstance(game, FirstEditionTable)
    return game


def scene_at(talk: Talk) -> FirstEditionScene:
    """Return the scene that the full screen's readings need."""
    return _scene(talk.speaker, talk.view())


def _scene(speaker: Speaker, view: TableView) -> FirstEditionScene:
    # Plain mode may be read aloud: no box characters.
    return FirstEditionScene(view.table, view.seat, speaker, Charset.ASCII)


def about_question(speaker: Speaker, view: TableView) -> Iterator[str]:
    """Yield the rules of the cards that the open question names."""
    scene = _scene(speaker, view)
    for card, text in scene.rules_in_question():
        yield speaker.say("plain.card", scene.speaker.card(card), text)


def before_question(speaker: Speaker, view: TableView) -> Iterator[str]:
    """Yield the stakes of the open test, and the open puzzle."""
    scene = _scene(speaker, view)
    yield from odds(scene)
    yield from spoken(scene)


# The board and the people ------------------------------------------------------------------


def look(talk: Talk, _: str) -> None:
    """Describe the board around the player's own investigators."""
    game = game_at(talk)
    spaces = spaces_around(game, talk.view().seat)
    talk.print(map_lines(in_game(talk.speaker), game, spaces))


def map_(talk: Talk, argument: str) -> None:
    """Describe the board, or the spaces that the argument names by their room or their contents."""
    game, speaker = game_at(talk), in_game(talk.speaker)
    if not argument:
        talk.print(map_lines(speaker, game))
        return
    spaces = spaces_called(speaker, game, argument, little_words(speaker))
    if not spaces:
        # Raises an error that suggests similar names.
        talk.which(argument, _on_board(talk))
    talk.print(map_lines(speaker, game, spaces))


def draw(talk: Talk, _: str) -> None:
    """Draw the board with its legend."""
    game_at(talk)
    scene = scene_at(talk)
    view = outlook(scene, MapSize.AUTO)
    if view is None:
        raise UnreadableCommand("map.empty")
    print_board(talk, scene, view)


def _on_board(talk: Talk) -> Iterable[str]:
    return names_on_board(in_game(talk.speaker), game_at(talk))


def party(talk: Talk, _: str) -> None:
    """Describe all investigators, the keeper's open side, and all monsters."""
    talk.print(party_lines(scene_at(talk), game_at(talk)))


def goal(talk: Talk, _: str) -> None:
    """Print objective, clock and clues; to the keeper, the guide and where the cards lie."""
    game_at(talk)
    talk.print(text for _, text in objective(scene_at(talk)) if text)


def monsters(talk: Talk, argument: str) -> None:
    """List the monsters, or print all about one."""
    rows = monster_rows(scene_at(talk))
    if argument:
        talk.print(_said(rows[talk.which(argument, _monster_names(talk))]))
    else:
        talk.tell_list(_monster_names(talk), "plain.monsters_hint")


def _monster_names(talk: Talk) -> list[str]:
    game = game_at(talk)
    return [in_game(talk.speaker).monster(game, one) for one in game.monsters.values()]


# Cards -------------------------------------------------------------------------------------


def _rows(talk: Talk) -> list[Row]:
    scene = scene_at(talk)
    return [*inventory(scene), *monster_rows(scene)]


def _said(row: Row) -> list[str]:
    """Return the lines of a row, without the marks that only a box needs."""
    lines = [text for side in row.sides or ((("", row.text),),) for _, text in side]
    return [line for line in (text.strip(MARKS) for text in lines) if line]


CARDS = CardReadings(_rows, _said)

_GAME = frozenset({PlayerPlace.GAME})
_TABLE = frozenset({PlayerPlace.WAITING, PlayerPlace.GAME})

READINGS = (
    Command("look", look, _GAME, is_reading=True),
    Command("map", map_, _GAME, Takes.NAMES, is_reading=True, offers=_on_board),
    Command("draw", draw, _GAME, is_reading=True),
    Command("party", party, _GAME, is_reading=True),
    Command("cards", CARDS.read, _TABLE, Takes.NAMES, is_reading=True, offers=CARDS.names),
    Command("monsters", monsters, _GAME, Takes.NAMES, is_reading=True, offers=_monster_names),
    Command("objective", goal, _GAME, is_reading=True),
)
"""Readings in the order of help."""
