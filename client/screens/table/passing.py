"""The menu of stops (windows at which the game waits for this seat) and of standing passes."""

import functools

from client.model import passing
from client.model.off_log import Stops
from client.model.standing_answers import StandingAnswer, answer_text
from client.model.tables import TableView
from client.plugs.face import face_of
from client.screens.base.boxes import Item, Menu, TextBox
from client.screens.base.screen import CannotDo, Desk
from protocol.bounds import MAX_KINDS
from protocol.common.standing import StandingPass


def passing_menu(desk: Desk, view: TableView) -> Menu:
    """
    Return the menu of stops and standing passes.

    Each stop is switched. A standing pass is taken back by choosing it; after the passes come the
    kinds and groups on which the viewer does not pass yet.
    """
    items, kinds = list[Item](), passing.kinds_and_groups(view.table.room.kinds)
    if view.table.room.settings.stops:
        # A switch for each kind of window, one for all, and what a stop is.
        stops = desk.model.off_log.stops.get(view.room_id, Stops())
        for kind in kinds:
            then = Stops(tuple(sorted({*stops.kinds} ^ {kind})), stops.is_everywhere)
            text = desk.say("passes.stop", passing.kind_name(desk.speaker, view, kind))
            items.append(_stop(desk, view, text, kind in stops.kinds, then))
        then = Stops(stops.kinds, is_everywhere=not stops.is_everywhere)
        text = desk.say("passes.everywhere")
        items.append(_stop(desk, view, text, stops.is_everywhere, then))
        about = [("", desk.say("table.stops.about"))]
        box = TextBox(desk, "box.passes", lambda: about)
        items.append(Item(desk.say("passes.about"), functools.partial(desk.open, box)))
    for answer in desk.model.answers.get(view.room_id, ()):
        text = _marked(answer_text(desk.speaker, view, answer), is_on=True)
        items.append(Item(text, functools.partial(_take_answer_back, desk, view, answer)))
    for one in view.standing:
        text = _marked(passing.pass_text(desk.speaker, view, one), is_on=True)
        items.append(Item(text, functools.partial(_take_back, desk, view, one)))
    items += [_offer(desk, view, kind) for kind in passing.offered(view)]
    return Menu(desk, "box.passes", items)


def _take_back(desk: Desk, view: TableView, written: str) -> None:
    # Worked out when chosen: a pass that lapsed since the menu was opened must not be sent again.
    desk.port.set_standing(passing.without_pass(view, written))


def _take_answer_back(desk: Desk, view: TableView, answer: StandingAnswer) -> None:
    answers = desk.model.answers
    answers[view.room_id] = tuple(one for one in answers[view.room_id] if one != answer)
    desk.model.tell(desk.say("standing.taken_back", answer_text(desk.speaker, view, answer)))


def set_pass(desk: Desk, view: TableView, kind: str, lapse: str) -> None:
    """Pass on a kind or group from now on, until the seat takes it back or it lapses."""
    passes = passing.with_pass(view, kind, lapse)
    if passes is None:
        raise CannotDo("passes.most", MAX_KINDS)
    desk.port.set_standing(passes)


def _offer(desk: Desk, view: TableView, kind: str) -> Item:
    """Return the item that passes on a kind or group; if passes can lapse, it asks until when."""
    offer = face_of(view.table.room.ruleset).standing
    lapses = passing.lapses_for(view, kind) if offer is None else offer.lapses_now(view, kind)

    set_until = functools.partial(set_pass, desk, view, kind)

    def ask_until() -> None:
        choices = [
            Item(
                passing.pass_text(desk.speaker, view, StandingPass(kind, lapse).written),
                functools.partial(set_until, lapse),
            )
            for lapse in ("", *lapses)
        ]
        desk.open(Menu(desk, "box.passes", choices))

    if not lapses:
        text = passing.pass_text(desk.speaker, view, kind)
        return Item(_marked(text, is_on=False), functools.partial(set_until, ""))
    text = desk.say("passes.on", passing.kind_name(desk.speaker, view, kind))
    return Item(_marked(text, is_on=False), ask_until)


def _stop(desk: Desk, view: TableView, text: str, is_on: bool, then: Stops) -> Item:  # noqa: FBT001 (which mark)
    def switch() -> None:
        if len(then.kinds) > MAX_KINDS:
            raise CannotDo("passes.most", MAX_KINDS)
        desk.port.set_stops(then)
        # A player who switches one thing often switches another; the mark confirms it.
        desk.open(passing_menu(desk, view))

    return Item(_marked(text, is_on=is_on), switch)


def _marked(text: str, *, is_on: bool) -> str:
    return f"[{'x' if is_on else ' '}] {text}"
