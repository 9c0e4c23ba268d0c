"""
Commands that only read: the question, the table, the journal.

These commands send nothing, so they work without a connection.
"""

from collections.abc import Iterable, Iterator

from client.journal.markdown import journal_markdown
from client.journal.shown import TOLD
from client.plain import words
from client.plain.choice import MOST_ECHOED, UnreadableCommand, is_number
from client.plain.command import Command, Takes
from client.plain.status import status_lines
from client.plain.talk import PlayerPlace, Talk
from client.screens.settings import table_lines
from client.screens.table.explained import chain_lines
from client.text.ascii_fold import folded_words
from commands.faults import why_refused

MOST_LAST = 10
"""The number of lines that `journal last` repeats."""


def question(talk: Talk, _: str) -> None:
    """Print the open question again: of a row, the one that is due."""
    view, due = talk.question()
    # With the whole row, from which the answered questions are counted off.
    talk.ask(view, view.my_question() or due)


def rule(talk: Talk, argument: str) -> None:
    """Explain the rule of the open question, or an earlier rule by its id."""
    view = talk.view()
    if view.ask is None and not argument:
        raise UnreadableCommand("plain.not_asked", words.waiting_line(talk.speaker, view))
    asked = argument[:MOST_ECHOED].upper() if argument or view.ask is None else view.ask.rule
    lines = list(words.rule_lines(talk.speaker, asked))
    if view.ask is not None and not argument:
        lines += chain_lines(talk.speaker, view.ask)
    none = "plain.no_rule" if argument else "plain.no_rule_here"
    talk.print(lines or [talk.speaker.say(none, asked)])


def why(talk: Talk, argument: str) -> None:
    """List the refused choices with reasons, or explain the rule that refuses a given choice."""
    question = talk.question()[1]
    if not argument or not question.refused:
        talk.print(words.refused_lines(talk.speaker, question))
    else:
        which = talk.which(argument, talk.refused())
        talk.print(words.refused_lines_of(talk.speaker, question.refused[which]))


def who(talk: Talk, _: str) -> None:
    talk.print([words.waiting_line(talk.speaker, talk.view())])


def status(talk: Talk, _: str) -> None:
    talk.print(status_lines(talk.speaker, talk.model, talk.watch))


# Before the game ---------------------------------------------------------------------------


def cards_(talk: Talk, argument: str) -> None:
    """Describe the characters of the scenario, or the character that the argument names."""
    readings = list(characters(talk))
    if argument:
        readings = [readings[talk.which(argument, _names(talk))]]
    for texts in readings:
        talk.print(texts)


def characters(talk: Talk) -> Iterator[list[str]]:
    """Yield the description of each character, the name first."""
    speaker = talk.speaker
    for character in talk.model.characters(talk.view().table.room):
        yield [speaker.name("character", character), *speaker.reading("character", character)]


def _names(talk: Talk) -> Iterable[str]:
    return [texts[0] for texts in characters(talk)]


# The journal -------------------------------------------------------------------------------


def journal(talk: Talk, argument: str) -> None:
    """Repeat the journal: all, one round, the last lines, or lines with certain words."""
    talk.view()
    lines = talk.journal_lines.lines
    first, _, more = argument.partition(" ")
    if talk.is_word(first, "last"):
        count = more.strip()
        # Six digits are enough for any journal, and `int` raises on thousands of them.
        if count and (not is_number(count) or not int(more[:6])):
            raise UnreadableCommand("plain.need_count")
        lines = lines[-(int(count[:6]) if count else MOST_LAST) :]
    elif is_number(argument):
        lines = [line for line in lines if line.round_number == int(argument[:6])]
    elif argument:
        _print_found(talk, more if talk.is_word(first, "find") else argument)
        return
    talk.print(words.journal_lines(lines, talk.speaker, talk.view().table.room.ruleset))
    if not lines:
        talk.tell("plain.none_found")


def story(talk: Talk, argument: str) -> None:
    """Repeat the story of all rounds or of one, without actions."""
    talk.view()
    if argument and not is_number(argument):
        raise UnreadableCommand("plain.need_number")
    wanted = int(argument[:6]) if argument else None
    told = [
        line
        for line in talk.journal_lines.lines
        if line.tone in TOLD and wanted in {None, line.round_number}
    ]
    talk.print(line.text for line in told)
    if not told:
        talk.tell("story.nothing")


def _print_found(talk: Talk, typed: str) -> None:
    """Print the journal lines, with their rounds, in which each typed word begins a word."""
    wanted = folded_words(typed)
    if not wanted:
        raise UnreadableCommand("plain.need_words")
    found, ruleset = False, talk.view().table.room.ruleset
    for line in talk.journal_lines.lines:
        text = words.journal_line(line, talk.speaker, ruleset)
        own = folded_words(text)
        if all(any(one.startswith(word) for one in own) for word in wanted):
            found = True
            at = line.round_number
            talk.print([talk.speaker.say("plain.found", at, text) if at else text])
    if not found:
        talk.tell("plain.none_found")


def save(talk: Talk, argument: str) -> None:
    """Write the journal to a new file, as Markdown."""
    room = talk.view().table.room
    if not argument:
        raise UnreadableCommand("plain.need_file")
    title = talk.model.title(room.scenario)
    lines = talk.journal_lines.lines
    try:
        talk.environment.write(argument, journal_markdown(lines, title, talk.model.locale))
    except FileExistsError:
        raise UnreadableCommand("plain.file_exists", argument) from None
    except OSError as error:
        reason = why_refused(error, talk.model.locale.say)
        raise UnreadableCommand("cli.cannot_write", argument, reason) from error
    talk.tell("plain.saved", argument, len(lines))


def settings(talk: Talk, _: str) -> None:
    """Print the settings of this table. Rule APP-13."""
    talk.print(table_lines(talk.speaker, talk.view().table.room))


_GAME = frozenset({PlayerPlace.GAME})
_TABLE = frozenset({PlayerPlace.WAITING, PlayerPlace.GAME})
_WAITING = frozenset({PlayerPlace.WAITING})

ASKING = (
    Command("question", question, _GAME, is_reading=True),
    Command("rule", rule, _GAME, Takes.WORDS, is_reading=True),
    Command("why", why, _GAME, Takes.NAMES, is_reading=True, offers=Talk.refused),
    Command("who", who, _GAME, is_reading=True),
    Command("status", status, frozenset(PlayerPlace), is_reading=True),
)
"""Commands in the order of help, before the commands of the game."""

TELLING = (
    Command("cards", cards_, _WAITING, Takes.NAMES, is_reading=True, offers=_names),
    Command("journal", journal, _TABLE, Takes.WORDS, is_reading=True),
    Command("story", story, _GAME, Takes.NUMBERS, is_reading=True),
    Command("save", save, _TABLE, Takes.WORDS, is_reading=True),
    Command("settings", settings, _TABLE, is_reading=True),
)
"""Commands after the game's own, which override commands of the same word."""
