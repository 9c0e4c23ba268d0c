"""
The status in words: the state of the game, the awaited players and their time, absent players.

The full screen shows the same facts at its edges; plain mode prints them on request.
"""

from collections.abc import Iterator

from client.journal.proposals import proposed
from client.locale.speaker import Speaker, is_away_from
from client.model.model import ClientModel
from client.model.status import Disconnected, Online
from client.model.tables import TableView
from client.model.waiting import Watch, pace_of
from client.plain import words
from client.plain.game import plain_at
from client.settings.table_settings import looking_on
from client.widgets.status import connection_line, seconds_left


def status_lines(speaker: Speaker, model: ClientModel, watch: Watch) -> Iterator[str]:
    """Yield the status, one sentence per line, with times by the server's clock."""
    if model.view is not None:
        room, game = model.view.table.room, model.view.table.game
        stage = speaker.say(f"stage.{room.stage.value}")
        yield speaker.say("entry.line", model.title(room.scenario), stage)
        if model.view.seat is None:
            yield looking_on(speaker.locale, room.settings, model.key)
        if game is not None:
            yield from plain_at(model.view).status(speaker, game)
        yield from _waiting(speaker, model, model.view, watch)
        away = [one.name for one in room.seats.values() if is_away_from(one)]
        if away:
            yield speaker.say("plain.away", ", ".join(away))
    elapsed = watch.status_for(model.status)
    # In full words, where the full screen abbreviates.
    match model.status:
        case Online(delay_seconds=float(delay)):
            said = speaker.say("plain.online_delay", round(delay * 1000))
        case Disconnected(retry_seconds=float(retry)):
            said = speaker.say("plain.retry", seconds_left(retry, elapsed))
        case status:
            said = connection_line(speaker.locale, status, elapsed)
    yield speaker.say("plain.connection", said)


def _waiting(speaker: Speaker, model: ClientModel, view: TableView, watch: Watch) -> Iterator[str]:
    room, question = view.table.room, view.my_question()
    if view.table.game is None:
        return
    is_asked = question is not None and not room.stands_still
    if question is None or not is_asked or view.may_interrupt:
        yield words.waiting_line(speaker, view)
    if question is not None and is_asked and (question.choices or not view.may_interrupt):
        yield words.asked_line(speaker, view, question)
        yield from words.held_lines(model, view, watch)
    pace = pace_of(watch, view, is_asked=False)
    # A question that was just asked has no waiting time worth a line.
    if pace.since is not None and pace.since.count:
        yield speaker.say(f"plain.since.{pace.since.unit}", pace.since.count)
    if pace.least is not None:
        yield speaker.say("plain.least_left", pace.least.count)
    yield from words.left_line(speaker, view, watch)
    if room.proposal is not None:
        yield proposed(speaker, view.table, room.proposal)
