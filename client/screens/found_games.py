"""The boxes of finished games that may be opened: found, looked back on, shown to others or not."""

from functools import partial

from client.model.model import FoundGames
from client.screens.boxes import Item, Menu
from client.screens.found_words import found_line
from client.screens.reviewing import review
from client.screens.screen import CannotDo, Desk
from protocol.messages import FoundGame


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
    return items


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
