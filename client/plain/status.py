"""
The status in words: the state of the game, who is awaited and since when, who is away.

The full screen shows the same at its edges; here it is printed on request.
"""

from collections.abc import Iterator

from client.journal.proposals import proposed
from client.locale.speaker import Speaker, is_away_from
from client.model.model import ClientModel
from client.model.status import Disconnected, Online, Status
from client.model.tables import TableView
from client.model.waiting import Watch, pace_of
from client.plain import words
from client.plain.game import plain_at
from client.settings.table_settings import looking_on
from client.widgets.status import connection_line, seconds_left


def status_lines(speaker: Speaker, model: ClientModel, watch: Watch) -> Iterator[str]:
    """Yield the status, one sentence per line, with times by the server's clock."""
    if model.view is not None:
        yield from _table(speaker, model, model.view)
        yield from _waiting(speaker, model.view, watch)
        away = [one.name for one in model.view.table.room.seats.values() if is_away_from(one)]
        if away:
            yield speaker.say("plain.away", ", ".join(away))
    yield speaker.say("plain.connection", _connection(speaker, model.status, watch))


def _connection(speaker: Speaker, status: Status, watch: Watch) -> str:
    """Return the state of the connection, in full words where the full screen abbreviates."""
    elapsed = watch.status_for(status)
    match status:
        case Online(delay_seconds=float(delay)):
            return speaker.say("plain.online_delay", round(delay * 1000))
        case Disconnected(retry_seconds=float(retry)):
            return speaker.say("plain.retry", seconds_left(retry, elapsed))
        case _:
            return connection_line(speaker.locale, status, elapsed)


def _table(speaker: Speaker, model: ClientModel, view: TableView) -> Iterator[str]:
    room, game = view.table.room, view.table.game
    title = model.title(room.scenario)
    yield speaker.say("entry.line", title, speaker.say(f"stage.{room.stage.value}"))
    if view.seat is None:
        yield looking_on(speaker.locale, room.settings, model.key)
    if game is None:
        return
    yield from plain_at(view).status(speaker, game)


def _waiting(speaker: Speaker, view: TableView, watch: Watch) -> Iterator[str]:
    room, question = view.table.room, view.my_question()
    if view.table.game is None:
        return
    if question is not None and not room.stands_still:
        yield words.asked_line(speaker, view, question)
    else:
        yield words.waiting_line(speaker, view)
    pace = pace_of(watch, view, is_asked=False)
    for key, span in (("since", pace.since), ("left", pace.left)):
        # A question that was just asked has no waiting time worth a line.
        if span is not None and (key == "left" or span.count):
            yield speaker.say(f"plain.{key}.{span.unit}", span.count)
    if room.proposal is not None:
        yield proposed(speaker, view.table, room.proposal)
