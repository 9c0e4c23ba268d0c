"""Results of all tables that played a closed setup."""

from protocol import messages
from protocol.bounds import MAX_SETUPS
from protocol.common.table import Stage
from server.kernel.errors import Refused
from server.lobby.finished.sharing import SharedGames
from server.lobby.requests.handlers import Needs, handles
from server.lobby.requests.pace import Cost
from server.lobby.requests.replies import Replies
from server.lobby.requests.visitor import Visitor
from server.lobby.rooms.registry import Registry
from server.lobby.rooms.summary import Summary
from server.lobby.tables.known_setups import BEGUN
from server.lobby.tables.setups import Setups
from server.lobby.views.words import subjects_of_result


@handles(messages.ListResults, needs=Needs.SERVER, cost=Cost.SEARCHED)
async def list_results(
    visitor: Visitor,
    message: messages.ListResults,
    setups: Setups,
    shared: SharedGames,
    registry: Registry,
    replies: Replies,
) -> messages.SetupResults:
    """
    List the results of all tables with a setup, the visitor's own tables first.

    Refused: the visitor has neither made nor played the setup, or it is not closed.
    """
    key, setup = visitor.key, setups.by_code(message.code)
    setup_id = setup.fixed.setup_id
    if key != setup.owner and not setups.known.has_played(key, setup_id):
        raise Refused("setup/not_played")
    if not setup.is_closed:
        raise Refused("setup/not_closed")
    now, found = registry.services.now(), registry.summaries.values()
    stages = {one: one.stage_for(key, now) for one in found if one.setup_id == setup_id}
    begun = [one for one, stage in stages.items() if stage in BEGUN]
    # A game of others that is shown with a delay has no line before its end: a line names players.
    listed = [
        one
        for one in begun
        if stages[one] is Stage.OVER or key in one.keys or not one.delay_seconds
    ]
    listed.sort(key=lambda one: (key not in one.keys, -one.over_at, one.room_id))
    lines = tuple(_result(one, key, shared) for one in listed[:MAX_SETUPS])
    results = (
        subject
        for line in lines
        for subject in subjects_of_result((*line.winners, *line.sides), line.scores)
    )
    replies.send_words(visitor, [*(line.scenario for line in lines), *results])
    return messages.SetupResults(message.serial, lines, len(begun))


def _result(one: Summary, key: bytes, shared: SharedGames) -> messages.SetupResult:
    is_mine = key in one.keys
    return messages.SetupResult(
        one.room_id if is_mine or shared.is_open(one.room_id) else "",
        one.scenario,
        one.names,
        one.over_at,
        one.result_for(key),
        0 if one.end is None else one.end.rounds,
        is_mine,
        winners=one.winners,
        scores=() if one.end is None else one.end.scores,
        sides=one.sides if one.has_sides else (),
    )
