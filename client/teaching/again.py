"""Another game with the same group after a finished game."""

from collections.abc import Callable

from client.model.model import ClientModel
from client.net.client_port import ClientPort
from client.openings.opening import AgainOpening
from protocol.messages import ScenarioLine


def others(model: ClientModel) -> tuple[ScenarioLine, ...]:
    """
    Return the scenarios that the group could play next, the next of the series first.

    These are scenarios of the same game with an enabled product. There are none in the tutorial,
    for a spectator, or if the group already has a next table with a scenario.
    """
    view, known = model.view, model.lobby.scenarios or ()
    if (
        view is None
        or view.seat is None
        or model.is_tutorial
        or view.room_id in model.lobby.continued
    ):
        return ()
    room = view.table.room
    at = next((at for at, line in enumerate(known) if line.scenario == room.scenario), -1)
    in_turn = (*known[at + 1 :], *known[: max(at, 0)])
    found = (
        line
        for line in in_turn
        if line.ruleset == room.ruleset and line.product not in room.products_off
    )
    # The sort is stable: only the next part of a campaign comes before the order of the list.
    return tuple(sorted(found, key=lambda line: not _follows(line, room.scenario)))


def next_part(model: ClientModel) -> ScenarioLine | None:
    """Return the one of `others` that continues this campaign; None if there is none."""
    first = next(iter(others(model)), None)
    if first is None or model.view is None:
        return None
    table = model.view.table
    left = None if table.game is None else table.game.left_over()
    return first if left is not None and _follows(first, table.room.scenario) else None


def _follows(line: ScenarioLine, scenario: str) -> bool:
    return line.summary.params[:1] == (scenario,)


def play_again(
    model: ClientModel, port: ClientPort, leave: Callable[[], None], scenario: str = ""
) -> None:
    """
    Go to the group's next table; after the tutorial, leave the tutorial for a real game.

    Args:
        model: the model, at a table whose game is over.
        port: the port of the same player.
        leave: ends the client.
        scenario: one of `others`; empty for the same scenario.
    """
    if model.is_tutorial:
        model.wants_game = True
        leave()
        return
    view = model.view
    mine = None if view is None else view.my_seat
    port.play_again(scenario)
    if model.is_solo and view is not None and mine is not None:
        AgainOpening(model, port, view.room_id, model.role(view.table.room, mine)).begin()
