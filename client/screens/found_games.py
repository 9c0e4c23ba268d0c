"""The boxes of finished games: found, looked back on, shown to others, compared by their setup."""

from functools import partial

from client.model.model import FoundGames
from client.screens.boxes import Item, Menu
from client.screens.found_words import found_line
from client.screens.result_words import left_out, result_line
from client.screens.reviewing import review
from client.screens.screen import CannotDo, Desk, TextEntry
from protocol.invitation import UnreadableInvitation, parse_code
from protocol.messages import FoundGame, SetupResult


def find_games(desk: Desk) -> None:
    """Ask for finished games; the box opens when they come. CannotDo without a line."""
    if not desk.model.is_online:
        raise CannotDo("error.offline")
    desk.port.find_games()


def open_found(desk: Desk) -> None:
    """Open the box of the games that have come, if any have."""
    found, desk.model.found_games = desk.model.found_games, None
    if found is not None:
        desk.open(Menu(desk, "box.games", _items(desk, found)))


def _items(desk: Desk, found: FoundGames) -> list[Item]:
    now = None if desk.wall is None else desk.wall()
    lines, scenario = found.page.lines, found.asked.scenario
    items = [
        Item(found_line(desk.model, line, now), partial(_open_game, desk, line)) for line in lines
    ]
    if found.page.has_more:
        more = partial(desk.port.find_games, scenario, lines[-1])
        items.append(Item(desk.say("games.more"), more))
    items.append(Item(desk.say("games.of_scenario"), partial(_choose_scenario, desk)))
    ask = TextEntry("entry.setup", partial(_ask_for_results, desk), "hint.results")
    items.append(Item(desk.say("games.results"), lambda: setattr(desk, "entry", ask)))
    return items


def _ask_for_results(desk: Desk, typed: str) -> None:
    try:
        code = parse_code(typed)
    except UnreadableInvitation as error:
        raise CannotDo("wrong.invitation", desk.model.locale.unreadable(error)) from error
    desk.port.ask_for_results(code)


def open_results(desk: Desk) -> None:
    """Open the box of how tables came out that played a setup, if that has come."""
    found, desk.model.results = desk.model.results, None
    if found is None:
        return
    now = None if desk.wall is None else desk.wall()
    items = [
        Item(result_line(desk.model, line, now), partial(_open_result, desk, line))
        for line in found.lines
    ]
    items += [Item(text, lambda: None) for text in left_out(desk.model, found)]
    desk.open(Menu(desk, "box.results", items))


def _open_result(desk: Desk, line: SetupResult) -> None:
    if not line.room_id:
        raise CannotDo("results.not_shown")
    review(desk, line.room_id)


def _choose_scenario(desk: Desk) -> None:
    known = desk.model.scenarios or ()
    items = [
        Item(desk.model.title(one.scenario), partial(desk.port.find_games, one.scenario))
        for one in known
    ]
    desk.open(Menu(desk, "games.of_scenario", items))


def _open_game(desk: Desk, line: FoundGame) -> None:
    items = [Item(desk.say("games.look"), partial(review, desk, line.room_id))]
    if line.is_mine:
        key = "games.withdraw" if line.have_i_agreed else "games.agree"
        share = partial(desk.port.share_game, line.room_id, is_agreed=not line.have_i_agreed)
        items.append(Item(desk.say(key), share))
    desk.open(Menu(desk, "box.game", items))
