"""Lists for clients: their tables, the scenarios of this server, the tables that await them."""

from protocol import messages
from protocol.bounds import MAX_LINES
from server.lobby.requests.handlers import Needs, handles
from server.lobby.requests.pace import Cost
from server.lobby.requests.replies import Replies
from server.lobby.requests.visitor import Visitor, Visitors
from server.lobby.rooms.registry import Registry
from server.lobby.services.mailing import Mail
from server.lobby.services.seams import LobbyServices
from server.lobby.tables.scenarios import game_line, game_subject, line_of, subjects_of


@handles(messages.ListTables, needs=Needs.SERVER)
async def list_tables(
    visitor: Visitor, message: messages.ListTables, registry: Registry, replies: Replies
) -> messages.Tables:
    found = list(registry.of_key(visitor.key))[:MAX_LINES]
    replies.send_words(visitor, [summary.scenario for summary in found])
    lines = tuple(
        messages.TableLine(
            summary.room_id,
            summary.scenario,
            summary.stage,
            summary.names,
            any(summary.keys[at] == visitor.key for at in summary.waiting_for),
            summary.when,
            summary.is_practice,
        )
        for summary in found
    )
    return messages.Tables(message.serial, lines)


@handles(messages.ListScenarios, needs=Needs.SERVER)
async def list_scenarios(
    visitor: Visitor, message: messages.ListScenarios, services: LobbyServices, replies: Replies
) -> messages.Scenarios:
    cards, games = services.shelf.scenarios()[:MAX_LINES], services.shelf.offered()[:MAX_LINES]
    subjects = [subject for card in cards for subject in subjects_of(card)]
    replies.send_words(visitor, [*map(game_subject, games), *subjects])
    return messages.Scenarios(
        message.serial, tuple(map(line_of, cards)), tuple(map(game_line, games))
    )


@handles(messages.ListAwaited, needs=Needs.SERVER, cost=Cost.SEARCHED)
async def list_awaited(
    visitor: Visitor,
    message: messages.ListAwaited,
    registry: Registry,
    visitors: Visitors,
    mail: Mail,
) -> messages.Awaited:
    found = registry.awaited(visitor.key)[:MAX_LINES]
    state, shown = mail.mailing.state(visitor.key), visitors.shown_to(visitor.key)
    lines = tuple(
        messages.AwaitedLine(one.room_id, one.names, one.since, one.room_id in shown)
        for one in found
    )
    return messages.Awaited(message.serial, lines, state)
