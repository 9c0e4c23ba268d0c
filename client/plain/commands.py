"""
The commands of plain mode, and the decision whether a line is a command or an answer.

A line may be a command, an abbreviation of a command, or an answer to the open question. If a line
could be a command and an answer, the program does not guess, but tells the player how to type each.
A number is always a choice, and a line that begins with a slash is always a command.
"""

import functools
import itertools
import unicodedata
from collections.abc import Iterable, Mapping, Sequence

from client.locale import LANGUAGES
from client.model.status import Disconnected
from client.plain import lobby, reading, table, words
from client.plain.choice import (
    MOST_ECHOED,
    AmbiguousCommand,
    ListedChoices,
    UnknownCommand,
    UnreadableCommand,
    are_numbers,
    is_number,
    named_shortly,
)
from client.plain.command import Command, Takes
from client.plain.game_commands import GameCommands, commands_for
from client.plain.match import NamedThing, fitting, near, says
from client.plain.naming import little_words
from client.plain.talk import PlayerPlace, Talk
from client.plain.useful import is_useful
from client.text.ascii_fold import folded_words
from protocol.common.asks import Settle
from protocol.plugs import games

MAX_LINE = 2000
"""The maximum length of a line; no command needs more."""
_GOES_ON = frozenset({"say", "note", "join", "watch", "manse"})
"""Commands whose words may contain line breaks when they are pasted."""
SLASH = "/"
"""A line that begins with this sign is a command, even if it could be an answer."""


# Help and leaving --------------------------------------------------------------------------


def help_(talk: Talk, argument: str) -> None:
    """Print the useful commands, with `all` every command, or the help on a command or choice."""
    say = talk.speaker.say
    if not argument or talk.is_word(argument, "all"):
        talk.tell("plain.help")
        talk.print(
            say("entry.line", talk.word(name), say(f"plain.help.{name}"))
            for name, command in commands_of(talk).items()
            if argument or (talk.place in command.places and is_useful(talk, name))
        )
        talk.tell("plain.help_more", talk.word("help"), talk.word("all"))
        return
    if is_number(argument):
        is_refused = bool(talk.refused())
    else:
        # A command is meant first, then a refused choice of the open question.
        is_command = whole_command(talk, argument) is not None or bool(
            abbreviated(talk, argument, frozenset(PlayerPlace))
        )
        is_refused = not is_command and bool(_refused(talk, argument))
    if is_refused:
        reading.why(talk, argument)
        return
    name = _named(talk, argument.removeprefix(SLASH), frozenset(PlayerPlace)).name
    talk.print([say("entry.line", talk.word(name), say(f"plain.help.{name}"))])
    if talk.speaker.locale.has(f"plain.more.{name}"):
        talk.tell(f"plain.more.{name}")


def _refused(talk: Talk, typed: str) -> tuple[int, ...]:
    """Return the indexes of the refused choices that a line names."""
    return fitting(typed, tuple(map(NamedThing, talk.refused())), little_words(talk.speaker))


def hints(talk: Talk, _: str) -> None:
    if talk.coach is None:
        raise UnreadableCommand("wrong.no_coach")
    talk.tell("coach.plain.back" if talk.coach.switch() else "coach.plain.quiet")


def language(talk: Talk, argument: str) -> None:
    """List the languages, or switch to one."""
    names = list(_languages(talk))
    if not argument:
        talk.tell("plain.language_hint", ", ".join(names))
        return
    is_code = argument.casefold() in LANGUAGES
    talk.port.set_language(
        argument.casefold() if is_code else LANGUAGES[talk.which(argument, names)]
    )

    def ask_again() -> None:
        # The open question, if any, in the new language.
        view = talk.model.view
        question = view.my_question() if view is not None else None
        if view is not None and question is not None:
            talk.ask(view, question)

    talk.later.append(ask_again)


def _languages(talk: Talk) -> Iterable[str]:
    return [talk.speaker.say(f"language.{language}") for language in LANGUAGES]


def quit_(talk: Talk, _: str) -> None:
    talk.is_over = True


def retry(talk: Talk, _: str) -> None:
    talk.port.try_again()


_ANYWHERE = frozenset(PlayerPlace)

_EVERYWHERE = (
    Command(
        "help",
        help_,
        _ANYWHERE,
        Takes.WORDS,
        is_reading=True,
        offers=lambda talk: [talk.word(name) for name in commands_of(talk)],
    ),
    Command("language", language, _ANYWHERE, Takes.WORDS, offers=_languages),
    Command("hints", hints, _ANYWHERE, is_reading=True),
    Command(
        "retry",
        retry,
        _ANYWHERE,
        is_reading=True,
        is_there=lambda talk: isinstance(talk.model.status, Disconnected),
    ),
    Command("quit", quit_, _ANYWHERE, is_reading=True),
)


def commands_of(talk: Talk) -> Mapping[str, Command]:
    """
    Return the commands that exist at this moment by name, in the order of help.

    At a table, these are the general commands and the commands of its game. Elsewhere the commands
    of every installed game are included, so that help can explain them.
    """
    view = talk.model.view
    played = games() if view is None else [view.table.room.ruleset]
    known = by_name(*map(commands_for, played))
    return {name: command for name, command in known.items() if command.is_there(talk)}


@functools.cache
def by_name(*own: GameCommands) -> Mapping[str, Command]:
    """Return all commands, shared and of games, by name; the first command with a name counts."""
    found: dict[str, Command] = {}
    for command in (
        *reading.ASKING,
        *itertools.chain.from_iterable(game.readings for game in own),
        *reading.TELLING,
        *table.PROPOSING,
        *itertools.chain.from_iterable(game.proposals for game in own),
        *table.RESUMING,
        *lobby.COMMANDS,
        *_EVERYWHERE,
    ):
        found.setdefault(command.name, command)
    return found


# Which command -----------------------------------------------------------------------------


def whole_command(talk: Talk, word: str) -> Command | None:
    """Return the command with this word, in the player's language or in English."""
    found = (command for command in commands_of(talk).values() if talk.is_word(word, command.name))
    return next(found, None)


def abbreviated(
    talk: Talk, word: str, places: Iterable[PlayerPlace], argument: str = ""
) -> list[Command]:
    """Return the commands that a word may abbreviate, if valid at a place and with the argument."""
    folded = folded_words(word)
    if len(folded) != 1:
        return []
    return [
        command
        for command in commands_of(talk).values()
        if command.places & frozenset(places)
        and "".join(folded_words(talk.word(command.name))).startswith(folded[0])
        and (not argument or command.accepts(talk, argument))
    ]


def _named(talk: Talk, word: str, places: Iterable[PlayerPlace]) -> Command:
    """Return the only command that a word fits. Raise UnreadableCommand for none or several."""
    whole = whole_command(talk, word)
    if whole is not None:
        return whole
    found = abbreviated(talk, word, places)
    if len(found) > 1:
        raise AmbiguousCommand([talk.word(command.name) for command in found])
    if not found:
        raise UnknownCommand(word, _near_commands(talk, word))
    return found[0]


def _near_commands(talk: Talk, word: str) -> list[str]:
    known = [command for command in commands_of(talk).values() if talk.place in command.places]
    things = [NamedThing(talk.word(command.name)) for command in known]
    return [things[at].text for at in near(word, things)]


# Doing what was typed ----------------------------------------------------------------------


def split(line: str) -> tuple[str, str]:
    first, _, argument = line.strip().partition(" ")
    return first, argument.strip()


def is_reading(talk: Talk, line: str) -> bool:
    """Return whether a line is a valid command that works without a connection."""
    first, argument = split(line.strip().removeprefix(SLASH))
    command = whole_command(talk, first)
    return (
        command is not None
        and command.is_reading
        and talk.place in command.places
        and command.accepts(talk, argument)
    )


def is_script(talk: Talk, lines: Sequence[str]) -> bool:
    """Return whether each line is a command or answer of its own; False for lines of one text."""
    first, *others = [line.strip().removeprefix(SLASH) for line in lines if line.strip()] or [""]
    word, argument = split(first)
    command = whole_command(talk, word)
    if command is None:
        return not others or are_numbers(first)
    if command.name not in _GOES_ON or not argument:
        return True
    # Its words go on in the next line, unless that is a command too.
    return all(whole_command(talk, split(other)[0]) is not None for other in others)


def is_quit(talk: Talk, line: str) -> bool:
    """Return whether a line is the command to leave the program."""
    return talk.is_word(split(line.strip().removeprefix(SLASH))[0], "quit")


def do(talk: Talk, line: str, begun: int | None = None) -> None:
    """
    Carry out a line, or print the reason why the line cannot be carried out.

    Args:
        talk: the session.
        line: the line as typed.
        begun: the id of the open question when the first key of the line was pressed, -1 if there
            was none; None if unknown, as in a pipe.
    """
    try:
        typed = _checked(line)
        if talk.replay is not None and not talk.model.is_practising and not is_quit(talk, typed):
            talk.print(talk.replay.run(typed))
            if talk.replay.is_over:
                talk.replay = None
                talk.model.replayed = ""
                remind(talk)
        else:
            _do(talk, typed, begun)
    except UnreadableCommand as error:
        talk.print([error.in_words(talk.speaker)])


def _checked(line: str) -> str:
    """Return a line with single blanks between its words.

    Raises:
        UnreadableCommand: the line is too long, or has control or undecodable characters.
    """
    if len(line) > MAX_LINE:
        raise UnreadableCommand("plain.too_long", MAX_LINE)
    # Undecodable bytes: a guess at the encoding could name another choice.
    if "\ufffd" in line or any("\ud800" <= char <= "\udfff" for char in line):
        raise UnreadableCommand("plain.not_utf8")
    typed = " ".join(line.split())
    if any(unicodedata.category(char) == "Cc" for char in typed):
        raise UnreadableCommand("plain.controls")
    return typed


def _do(talk: Talk, line: str, begun: int | None) -> None:
    if line in {"", SLASH}:
        remind(talk)
        return
    listing = talk.listing()
    numbered = commands_of(talk).get(talk.numbered)
    is_valid = numbered is not None and talk.place in numbered.places
    may_interrupt = talk.model.view is not None and talk.model.view.may_interrupt
    if may_interrupt and numbered is not None and are_numbers(line):
        # Nobody has to interrupt, so the number is of a list that was printed since.
        _run_at_place(talk, numbered, line)
        return
    if listing is None and numbered is not None and is_valid and are_numbers(line):
        # A bare number means the command of the list printed last.
        numbered.run(talk, line)
        return
    # Any other line ends the meaning of bare numbers.
    talk.numbered = ""
    if line.startswith(SLASH) or listing is None:
        _run(talk, line.removeprefix(SLASH), is_forced=line.startswith(SLASH))
        return
    command = _meant(talk, listing, line)
    if command is not None:
        _obey(talk, command, *split(line))
        return
    if begun not in {None, talk.asked_since}:
        # The line was typed for another question, before this one could be read.
        raise UnreadableCommand("wrong.unseen")
    ask = talk.question()[0].ask
    assert ask is not None
    picks = talk.given(ask.ask_id, listing.picks(line))
    if picks is None:
        return
    is_window = ask.settle is Settle.WINDOW
    if is_window and (fault := talk.question()[1].faults_in_window(picks)) is not None:
        raise UnreadableCommand(f"error.{fault}")
    talk.must_be_sure(picks)
    if ask.has_open_votes:
        talk.port.vote(ask.ask_id, picks)
        return
    if may_interrupt and not picks:
        # Nothing is sent: others would see who thinks of interrupting.
        talk.tell("plain.let_be")
        return
    talk.port.answer(ask.ask_id, picks)
    # A held answer makes no record, so it is confirmed here.
    if talk.model.held_picks is not None:
        talk.print(words.held_lines(talk.model, talk.view(), talk.watch))


def remind(talk: Talk) -> None:
    """Print the player's situation: the greeting, the next step, the question or the wait."""
    view = talk.model.view
    if view is None:
        talk.tell("plain.greeting")
    elif talk.place is PlayerPlace.WAITING:
        talk.print([words.next_step(talk.speaker, talk.model, view)])
    elif (listing := talk.listing()) is not None:
        if view.may_interrupt:
            talk.print([words.waiting_line(talk.speaker, view)])
        talk.print([words.asked_line(talk.speaker, view, listing.question)])
        if view.may_interrupt:
            talk.tell("plain.interrupt_how")
            return
        talk.tell("plain.remind", max(listing.numbers, default=0), talk.word("question"))
    else:
        talk.print([words.waiting_line(talk.speaker, view)])


def _run(talk: Talk, line: str, *, is_forced: bool) -> None:
    """Carry out a line that can only be a command."""
    first, argument = split(line)
    command = whole_command(talk, first)
    if command is None and talk.place is PlayerPlace.GAME and not is_forced:
        # The line may be meant as an answer.
        found = abbreviated(talk, first, {talk.place}, argument)
        if not found and talk.model.view is not None:
            # Raises an error if the player is asked nothing.
            talk.question()
            # A question is open, but it has not been printed yet.
            raise UnreadableCommand("wrong.unseen")
    _obey(talk, command or _named(talk, first, {talk.place}), first, argument)


def _obey(talk: Talk, command: Command, first: str, argument: str) -> None:
    """Run a command.

    If an abbreviated command fails and its argument contains the names of other commands, raise an
    error that suggests these commands.
    """
    try:
        _run_at_place(talk, command, argument)
    except UnreadableCommand as error:
        words = argument.split() if not talk.is_word(first, command.name) else []
        found = (whole_command(talk, word) for word in words)
        meant = [one for one in found if one is not None and talk.place in one.places]
        if not meant:
            raise
        names = [talk.word(one.name) for one in dict.fromkeys(meant)]
        read_as = talk.word(command.name)
        raise UnreadableCommand("plain.read_as", first, read_as, names) from error


def _run_at_place(talk: Talk, command: Command, argument: str) -> None:
    if talk.place not in command.places:
        raise UnreadableCommand(f"plain.not_in.{talk.place.value}", talk.word(command.name))
    if command.takes in {Takes.NOTHING, Takes.NUMBERS} and not command.accepts(talk, argument):
        key = "plain.takes_nothing" if command.takes is Takes.NOTHING else "plain.need_number"
        raise UnreadableCommand(key, talk.word(command.name))
    command.run(talk, argument)


def _meant(talk: Talk, listing: ListedChoices, line: str) -> Command | None:
    """
    Return the command that a line means while a question is open; None for an answer.

    Raises:
        UnreadableCommand, AmbiguousCommand, UnknownCommand: the line may be a command and an
            answer, or is neither.
    """
    first, argument = split(line)
    is_answer = listing.means(line)
    command = whole_command(talk, first)
    if command is not None and talk.place in command.places and command.accepts(talk, argument):
        # The word may begin a word of a choice too, and then the player has to say which is meant.
        rivals = [at for at in listing.fits(line) if says(listing.named[at], first)]
        if not rivals:
            return command
        if not talk.is_own_word(first, command.name):
            # The choice was read a moment ago, while no list names this synonym of the command.
            return None
        raise _both(talk, [command], listing, rivals)
    # The command is not valid here; running it says why.
    if command is not None and not is_answer:
        return command
    short = [] if command is not None else abbreviated(talk, first, {talk.place}, argument)
    if short and (fits := listing.fits(line)) and not listing.is_spelled_out(line):
        raise _both(talk, short, listing, fits)
    if is_answer:
        return None
    if not short:
        if len(places := _refused(talk, line)) == 1:
            (refused,) = (listing.question.refused[at] for at in places)
            text, reason = talk.speaker.text(refused.text), talk.speaker.text(refused.reason)
            raise UnreadableCommand("plain.refused", text, reason)
        choices = [listing.name(at) for at in near(line, listing.named, listing.little)]
        # A long line is hardly a mistyped command.
        commands = _near_commands(talk, first) if len(line) <= MOST_ECHOED else []
        raise UnknownCommand(line, list(itertools.islice((*commands, *choices), 4)))
    return _named(talk, first, {talk.place})


def _both(
    talk: Talk, commands: Sequence[Command], listing: ListedChoices, places: Sequence[int]
) -> UnreadableCommand:
    """Return the error for a line that could be a command or a choice, and say how to type each."""
    slashed = [SLASH + talk.word(command.name) for command in commands]
    choices = [listing.name(at) for at in places]
    return UnreadableCommand("plain.both", named_shortly(slashed), named_shortly(choices))
