"""Commands on finished games: finding, sharing, comparing results of setups, joining reviews."""

from collections.abc import Callable, Iterator

from client.model.found_games import FoundGames, GamesWanted
from client.plain import games_wanted
from client.plain.choice import UnreadableCommand, place_in
from client.plain.talk import Talk
from client.screens.lobby.found_words import found_line
from client.screens.lobby.result_words import beside_lines, left_out, result_line
from client.screens.review.review_words import review_line
from protocol.common.table import Stage
from protocol.invitation import UnreadableInvitation, parse_code
from protocol.messages import FoundGame, SetupResults


def games(talk: Talk, argument: str) -> None:
    """
    List finished games, or act on a game of the list.

    A number opens a replay; `agree` and `withdraw` with a number give or withdraw the consent that
    others may open the game; `more` lists the next page. Any other argument is a filter; see
    `read_wanted`.
    """
    first, _, rest = argument.partition(" ")
    for word, (own, do) in _DOES.items():
        if first in {word, talk.speaker.say(own)}:
            do(talk, rest.strip())
            return
    if argument[:1].isdigit():
        talk.port.fetch_game(_line(talk, argument).room_id, talk.open_replay)
        return
    _ask(talk, games_wanted.read_wanted(talk, argument), None)


def next_words(talk: Talk, argument: str) -> Iterator[str]:
    """Yield the candidates for the argument, except titles of scenarios."""
    first = argument.partition(" ")[0]
    own = {word: talk.speaker.say(key) for word, (key, _) in _DOES.items()}
    if first in {*own, *own.values()}:
        return
    if not argument:
        yield from own.values()
    yield from games_wanted.next_words(talk, argument)


def _ask(talk: Talk, wanted: GamesWanted, after: FoundGame | None) -> None:
    """Ask the server for a page of games; print the games by number, and how to act on a game."""

    def listed(found: FoundGames) -> None:
        talk.found = found
        now, say = talk.environment.wall(), talk.speaker.say
        lines = [
            f"{at}. {found_line(talk.model, line, now)}"
            for at, line in enumerate(found.page.lines, 1)
        ]
        if found.page.has_more:
            lines.append(say("plain.games_more_hint", talk.word("games"), say("plain.games_more")))
        words = (talk.word("games"), say("plain.games_agree"), say("plain.games_withdraw"))
        lines.append(say("plain.games_hint" if found.page.lines else "plain.no_games", *words))
        talk.print_for("games", lines)

    talk.port.find_games(wanted, listed, after)


def _more(talk: Talk, _: str) -> None:
    found = talk.found
    if found is None or not found.page.has_more:
        raise UnreadableCommand("games.no_more")
    _ask(talk, found.wanted, found.page.lines[-1])


def _share(talk: Talk, number: str, *, is_agreed: bool) -> None:
    line = _line(talk, number)
    if not line.is_mine:
        raise UnreadableCommand("games.not_yours")
    talk.port.share_game(line.room_id, is_agreed=is_agreed)


def _line(talk: Talk, number: str) -> FoundGame:
    lines = talk.found.page.lines if talk.found is not None else ()
    return lines[place_in(number, len(lines))]


_DOES: dict[str, tuple[str, Callable[[Talk, str], None]]] = {
    "more": ("plain.games_more", _more),
    "agree": ("plain.games_agree", lambda talk, number: _share(talk, number, is_agreed=True)),
    "withdraw": (
        "plain.games_withdraw",
        lambda talk, number: _share(talk, number, is_agreed=False),
    ),
}
"""Subcommands by English word, each with the key of its translation."""


# Results of a fixed setup -----------------------------------------------------------------


def results(talk: Talk, argument: str) -> None:
    """List the tables that played the setup of a code, or open a replay of one of these tables."""
    if not argument:
        raise UnreadableCommand("plain.results_how", talk.word("results"))
    lines = talk.results.lines if talk.results is not None else ()
    # A code has more characters: a short number means a line of the list.
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

    def listed(found: SetupResults) -> None:
        talk.results = found
        results = [
            f"{at}. {result_line(talk.model, line, None)}" for at, line in enumerate(found.lines, 1)
        ]
        beside = (*left_out(talk.model, found), *beside_lines(talk.model, found))
        hint = talk.speaker.say("plain.results_hint", talk.word("results"))
        talk.print_for("results", [*results, *beside, hint])

    talk.port.ask_for_results(code, listed)


# Reviews -----------------------------------------------------------------------------------


def together(talk: Talk, argument: str) -> None:
    """Join the review of the followed table's game, or of a listed review by its number.

    Away from tables and without a number, list the reviews.
    """
    view = talk.model.view
    if view is not None:
        if view.table.room.stage is not Stage.OVER:
            talk.tell("error.table/not_over")
            return
        _join(talk, view.room_id)
    elif argument:
        reviews = talk.model.lobby.reviews
        _join(talk, reviews[place_in(argument, len(reviews))].room_id)
    else:
        talk.port.list_reviews()

        def listed() -> None:
            reviews = talk.model.lobby.reviews
            key = "plain.reviews_hint" if reviews else "plain.no_reviews"
            hint = talk.speaker.say(key, talk.word("together"), talk.word("review"))
            lines = [f"{at}. {review_line(talk.model, one)}" for at, one in enumerate(reviews, 1)]
            talk.print_for("together", [*lines, hint])

        talk.later.append(listed)


def _join(talk: Talk, room_id: str) -> None:
    talk.port.fetch_game(room_id, talk.open_replay)
    talk.port.join_review(room_id)
