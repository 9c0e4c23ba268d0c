"""How tables came out that played the same setup, in plain mode."""

from collections.abc import Iterator

from client.plain.choice import UnreadableCommand, place_in
from client.plain.talk import Talk
from client.screens.lobby.result_words import left_out, result_line
from protocol.invitation import UnreadableInvitation, parse_code
from protocol.messages import SetupResults


def results(talk: Talk, argument: str) -> None:
    """List the tables that played the setup of a code, or look back on one of that list."""
    if not argument:
        raise UnreadableCommand("plain.results_how", talk.word("results"))
    lines = talk.results.lines if talk.results is not None else ()
    if argument.isdecimal() and len(argument) < 3:
        line = lines[place_in(argument, len(lines))]
        if not line.room_id:
            raise UnreadableCommand("results.not_shown")
        talk.port.fetch_game(line.room_id, talk.open_replay)
        return
    try:
        code = parse_code(argument)
    except UnreadableInvitation as error:
        raise UnreadableCommand("wrong.invitation", talk.model.locale.unreadable(error)) from error
    talk.port.ask_for_results(code, lambda found: talk.print_for("results", _listed(talk, found)))


def _listed(talk: Talk, found: SetupResults) -> Iterator[str]:
    talk.results = found
    for at, line in enumerate(found.lines, 1):
        yield f"{at}. {result_line(talk.model, line, None)}"
    yield from left_out(talk.model, found)
    yield talk.speaker.say("plain.results_hint", talk.word("results"))
