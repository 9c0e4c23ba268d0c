"""Boxes of finished games: the list, one game, and the results of one setup."""

from functools import partial

import attrs

from client.keymap.keys import Action, Context
from client.model.found_games import ALL_GAMES, FoundGames, GamesWanted
from client.screens.base.boxes import Item, Menu
from client.screens.base.screen import CannotDo, Desk, TextEntry
from client.screens.lobby.found_words import found_line
from client.screens.lobby.games_wanted import GamesWantedBox, said_wanted
from client.screens.lobby.result_words import beside_lines, left_out, result_line
from client.screens.review.reviewing import review
from protocol.invitation import UnreadableInvitation, parse_code
from protocol.messages import FoundGame, SetupResult, SetupResults


@attrs.define(eq=False)
class GamesBox(Menu):
    """The list of finished games, with a key to filter it."""

    wanted: GamesWanted
    context: Context = attrs.field(default=Context.GAMES, init=False)

    def act(self, action: Action, key: str) -> None:
        """Open the filter; carry out any other action as in a menu."""
        if action is Action.FILTER:
            _open_wanted(self.desk, self.wanted)
        else:
            super().act(action, key)

    def hints(self) -> frozenset[Action]:
        return super().hints() | {Action.FILTER}


def find_games(desk: Desk, wanted: GamesWanted = ALL_GAMES) -> None:
    """Request finished games; their list opens as a box when the reply arrives.

    Raise CannotDo while offline.
    """
    if not desk.model.is_online:
        raise CannotDo("error.offline")
    desk.port.find_games(wanted, partial(open_found, desk))


def open_found(desk: Desk, found: FoundGames) -> None:
    """Open the box of these games, in place of an earlier box."""
    # Another page replaces the list; over it, Esc would lead back through all pages.
    desk.boxes[:] = [box for box in desk.boxes if not isinstance(box, GamesBox)]
    now = None if desk.wall is None else desk.wall()
    lines, wanted = found.page.lines, found.wanted
    items = [
        Item(found_line(desk.model, line, now), partial(_open_game, desk, line)) for line in lines
    ]
    if found.page.has_more:
        find = partial(desk.port.find_games, wanted, partial(open_found, desk), lines[-1])
        items.append(Item(desk.say("games.more"), find))
    said = said_wanted(desk, wanted)
    key = "games.filtered" if said else "games.filter"
    items.append(Item(desk.say(key, said), partial(_open_wanted, desk, wanted)))

    def ask_for_results(typed: str) -> None:
        try:
            code = parse_code(typed)
        except UnreadableInvitation as error:
            raise CannotDo("wrong.invitation", desk.model.locale.unreadable(error)) from error
        desk.port.ask_for_results(code, partial(open_results, desk))

    ask = TextEntry("entry.setup", ask_for_results, "hint.results")
    items.append(Item(desk.say("games.results"), lambda: setattr(desk, "entry", ask)))
    desk.open(GamesBox(desk, "box.games", items, found.wanted))


def _open_wanted(desk: Desk, wanted: GamesWanted) -> None:
    find = partial(find_games, desk)
    desk.open(GamesWantedBox(desk, "box.games_wanted", (), find, wanted))


def open_results(desk: Desk, found: SetupResults) -> None:
    now = None if desk.wall is None else desk.wall()
    items = [
        Item(result_line(desk.model, line, now), partial(_open_result, desk, line))
        for line in found.lines
    ]
    more = (*left_out(desk.model, found), *beside_lines(desk.model, found))
    items += [Item(text, lambda: None) for text in more]
    desk.open(Menu(desk, "box.results", items))


def _open_result(desk: Desk, line: SetupResult) -> None:
    if not line.room_id:
        raise CannotDo("results.not_shown")
    review(desk, line.room_id)


def _open_game(desk: Desk, line: FoundGame) -> None:
    items = [Item(desk.say("games.look"), partial(review, desk, line.room_id))]
    if line.is_mine:
        key = "games.withdraw" if line.have_i_agreed else "games.agree"
        share = partial(desk.port.share_game, line.room_id, is_agreed=not line.have_i_agreed)
        items.append(Item(desk.say(key), share))
    desk.open(Menu(desk, "box.game", items))
