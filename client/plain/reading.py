"""
Commands that read: what is asked, what lies on the table, what happened.

None of them says anything to the server, so that they work while there is no line to it, too.
"""

from collections.abc import Iterable

from client.commands.markdown import journal_markdown
from client.games.second_edition.boxes.inventory import inventory
from client.games.second_edition.boxes.monsters import monster_rows
from client.games.second_edition.panes.legend import figure_legend, legend, line_legend, room_legend
from client.games.second_edition.panes.map import Scroll, draw_map, outlook
from client.games.second_edition.plain.board import (
    map_lines,
    spaces_around,
    spaces_named,
    what_lies_about,
)
from client.games.second_edition.plain.naming import little_words
from client.plain import words
from client.plain.choice import MOST_ECHOED, UnreadableCommand, is_number
from client.plain.status import status_lines
from client.plain.talk import Command, Place, Takes, Talk
from client.screens.readings import objective
from client.screens.settings import table_lines
from client.screens.shelf import Row
from client.screens.story import TOLD
from client.settings.preferences import MapSize
from client.terminal.ascii_fold import folded_words
from commands.faults import why_refused

MOST_LAST = 10
"""Lines of the journal that `journal last` repeats."""
DRAWN_COLUMNS = 79
"""How wide the board is drawn where it can be made so small."""
_PLENTY = 1000
"""Rows; more than any board takes."""
_MARKS = "*# "
"""What lines on the full screen begin with, so that their kind is seen."""


def question(talk: Talk, _: str) -> None:
    """Repeat the question."""
    talk.ask(*talk.question())


def rule(talk: Talk, rest: str) -> None:
    """Explain the rule that asks, whoever is asked, or one that was met before, by its id."""
    view = talk.view()
    if view.ask is None and not rest:
        raise UnreadableCommand("plain.not_asked", words.waiting_line(talk.speaker, view))
    asked = rest[:MOST_ECHOED].upper() if rest or view.ask is None else view.ask.rule
    lines = list(words.rule_lines(talk.speaker, asked))
    talk.print(lines or [talk.speaker.say("plain.no_rule", asked)])


def why(talk: Talk, rest: str) -> None:
    """Say what cannot be chosen, and why; of one thing, the rule that refuses it."""
    question = talk.question()[1]
    if not rest or not question.refused:
        talk.print(words.refused_lines(talk.speaker, question))
    else:
        which = talk.which(rest, talk.refused())
        talk.print(words.refused_lines_of(talk.speaker, question.refused[which]))


def who(talk: Talk, _: str) -> None:
    """Say who is waited for."""
    talk.print([words.waiting_line(talk.speaker, talk.view())])


def status(talk: Talk, _: str) -> None:
    """Say how things stand."""
    talk.print(status_lines(talk.speaker, talk.model, talk.watch))


# The board and the people ------------------------------------------------------------------


def look(talk: Talk, _: str) -> None:
    """Describe the board around the player's own investigators."""
    game = talk.game()
    talk.print(map_lines(talk.speaker, game, spaces_around(game, talk.view().seat)))


def map_(talk: Talk, rest: str) -> None:
    """Describe the board, or the rooms that are named, be it by what is in them."""
    game, speaker = talk.game(), talk.speaker
    if not rest:
        talk.print([*map_lines(speaker, game), *talk.puzzle()])
        return
    spaces = spaces_named(speaker, game, rest, little_words(speaker))
    if not spaces:
        talk.which(rest, _on_board(talk))
    talk.print(map_lines(speaker, game, spaces))


def draw(talk: Talk, _: str) -> None:
    """Draw the board, for who wants to see it, and say what its signs mean."""
    talk.game()
    scene = talk.scene()
    view = outlook(scene, MapSize.AUTO)
    if view is None:
        raise UnreadableCommand("map.empty")
    shown = view.within(_PLENTY, DRAWN_COLUMNS)
    sheet = scene.sheet(shown.board.rows, shown.board.columns)
    draw_map(sheet.pane(), scene, shown, Scroll())
    talk.print(line.rstrip() for line in sheet.plain().split("\n"))
    entries = [*room_legend(scene, shown), *figure_legend(scene), *legend(scene)]
    talk.print("".join(text for _, text in entry) for entry in (*entries, *line_legend(scene)))


def _on_board(talk: Talk) -> Iterable[str]:
    return what_lies_about(talk.speaker, talk.game())


def party(talk: Talk, _: str) -> None:
    """Describe everybody."""
    talk.print(words.party_lines(talk.speaker, talk.view(), talk.game()))


def goal(talk: Talk, _: str) -> None:
    """Read out the objective."""
    talk.game()
    talk.print(text for _, text in objective(talk.scene()))


def monsters(talk: Talk, rest: str) -> None:
    """List the monsters, or read one's menu out. Rules MONSTER-13 and APP-7."""
    found = list(talk.game().monsters.values())
    if rest:
        monster = found[talk.which(rest, _monsters(talk))]
        row = next(row for row in monster_rows(talk.scene()) if row.key == monster.monster_id)
        talk.print(_said(row))
    else:
        talk.tell_list(_monsters(talk), "plain.monsters_hint")


def _monsters(talk: Talk) -> Iterable[str]:
    return [talk.speaker.monster(monster) for monster in talk.game().monsters.values()]


# Cards -------------------------------------------------------------------------------------


def cards_(talk: Talk, rest: str) -> None:
    """Read out all cards and people, or one of them."""
    readings = _readings(talk)
    if rest:
        # Two of a kind are read once.
        readings = [one for at, one in enumerate(readings) if one not in readings[:at]]
        name = (names := list(_names(talk)))[talk.which(rest, names)]
        readings = [one for one in readings if one[0] == name]
    for texts in readings:
        talk.print(texts)


def _readings(talk: Talk) -> list[list[str]]:
    """Return all that can be read, the name of each first; before the game, investigators."""
    speaker, view = talk.speaker, talk.view()
    if talk.place is Place.WAITING:
        return [
            [speaker.name("investigator", piece), *speaker.details("investigator", piece)]
            for piece in talk.model.characters(view.table.room)
        ]
    scene = talk.scene()
    return [_said(row) for row in (*inventory(scene), *monster_rows(scene))]


def _said(row: Row) -> list[str]:
    """
    Return what is read about a thing, without the signs and gaps of a box.

    The first side says what there is on the other; of that, only the text is new.
    """
    up, *others = row.sides or ((("", row.text),),)
    lines = [text.strip(_MARKS) for _, text in up]
    for style, text in (paragraph for side in others for paragraph in side):
        if not style and text not in lines:
            lines.append(text)
    return [line for line in lines if line]


def _names(talk: Talk) -> Iterable[str]:
    return dict.fromkeys(texts[0] for texts in _readings(talk))


# The journal -------------------------------------------------------------------------------


def journal(talk: Talk, rest: str) -> None:
    """Repeat the journal: all, one round, the last lines, or those with some words."""
    talk.view()
    lines = talk.journal_lines.lines
    first, _, more = rest.partition(" ")
    if talk.is_word(first, "last"):
        lines = lines[-_count(more, MOST_LAST) :]
    elif is_number(rest):
        lines = [line for line in lines if line.round_number == int(rest[:6])]
    elif rest:
        _found(talk, more if talk.is_word(first, "find") else rest)
        return
    talk.print(words.journal_lines(lines, talk.speaker))
    if not lines:
        talk.tell("plain.none_found")


def story(talk: Talk, rest: str) -> None:
    """Repeat what was told, of all rounds or of one, without what people did."""
    talk.view()
    if rest and not is_number(rest):
        raise UnreadableCommand("plain.need_number")
    wanted = int(rest[:6]) if rest else None
    told = [
        line
        for line in talk.journal_lines.lines
        if line.tone in TOLD and wanted in {None, line.round_number}
    ]
    talk.print(line.text for line in told)
    if not told:
        talk.tell("story.nothing")


def _count(typed: str, usual: int) -> int:
    if not typed.strip():
        return usual
    if not is_number(typed.strip()) or not int(typed[:6]):
        raise UnreadableCommand("plain.need_count")
    return int(typed.strip()[:6])


def _found(talk: Talk, typed: str) -> None:
    """Print the lines in which every word typed begins a word, with the round of each."""
    wanted = folded_words(typed)
    if not wanted:
        raise UnreadableCommand("plain.need_words")
    found = False
    for line in talk.journal_lines.lines:
        text = words.journal_line(line, talk.speaker)
        own = folded_words(text)
        if all(any(one.startswith(word) for one in own) for word in wanted):
            found = True
            at = line.round_number
            talk.print([talk.speaker.say("plain.found", at, text) if at else text])
    if not found:
        talk.tell("plain.none_found")


def save(talk: Talk, rest: str) -> None:
    """Write the journal to a new file, as Markdown."""
    room = talk.view().table.room
    if not rest:
        raise UnreadableCommand("plain.need_file")
    title = talk.model.title(room.scenario)
    lines = talk.journal_lines.lines
    try:
        talk.around.write(rest, journal_markdown(lines, title, talk.model.locale))
    except FileExistsError:
        raise UnreadableCommand("plain.file_exists", rest) from None
    except OSError as error:
        reason = why_refused(error, talk.model.locale.say)
        raise UnreadableCommand("cli.cannot_write", rest, reason) from error
    talk.tell("plain.saved", rest, len(lines))


def settings(talk: Talk, _: str) -> None:
    """Say what holds at this table. Rule APP-13."""
    talk.print(table_lines(talk.speaker, talk.view().table.room.settings))


_GAME = frozenset({Place.GAME})
_TABLE = frozenset({Place.WAITING, Place.GAME})

COMMANDS = (
    Command("question", question, _GAME, is_reading=True),
    Command("rule", rule, _GAME, Takes.WORDS, is_reading=True),
    Command("why", why, _GAME, Takes.NAMES, is_reading=True, offers=Talk.refused),
    Command("who", who, _GAME, is_reading=True),
    Command("status", status, frozenset(Place), is_reading=True),
    Command("look", look, _GAME, is_reading=True),
    Command("map", map_, _GAME, Takes.NAMES, is_reading=True, offers=_on_board),
    Command("draw", draw, _GAME, is_reading=True),
    Command("party", party, _GAME, is_reading=True),
    Command("cards", cards_, _TABLE, Takes.NAMES, is_reading=True, offers=_names),
    Command("monsters", monsters, _GAME, Takes.NAMES, is_reading=True, offers=_monsters),
    Command("objective", goal, _GAME, is_reading=True),
    Command("journal", journal, _TABLE, Takes.WORDS, is_reading=True),
    Command("story", story, _GAME, Takes.NUMBERS, is_reading=True),
    Command("save", save, _TABLE, Takes.WORDS, is_reading=True),
    Command("settings", settings, _TABLE, is_reading=True),
)
"""In the order in which help lists them."""
