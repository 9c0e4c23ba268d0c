"""The menu of an open question by which an answer stands: always, never, for a while."""

import functools

from client.model import passing
from client.model.standing_answers import (
    WHERE_AGAIN,
    WHERE_VAIN,
    StandingAnswer,
    StandingOffer,
    answer_text,
    with_answer,
)
from client.model.tables import TableView
from client.screens.base.boxes import Item, Menu
from client.screens.base.screen import Desk
from client.screens.table.passing import passing_menu, set_pass
from protocol.common.asks import Choice
from protocol.common.standing import StandingPass
from protocol.common.text import Text


def standing_menu(desk: Desk, view: TableView, offer: StandingOffer, chosen: Choice | None) -> Menu:
    """
    Return the menu of the open question: what stands on its kind, then what could.

    Args:
        desk: where the menu opens.
        view: the table with the open question, which has a kind.
        offer: the standing answers of the game.
        chosen: the choice under the cursor.
    """
    assert view.ask is not None
    assert view.table.game is not None
    assert view.seat is not None
    kind = view.ask.kind
    answers: list[tuple[str, Text | None]] = []
    if chosen is not None and offer.can_repeat(kind, chosen):
        lasting = offer.lasting(chosen.text)
        answers.append((desk.say("standing.always", desk.speaker.text(lasting)), lasting))
    if offer.is_own(view.table.game, view.seat) is not None:
        answers.append((desk.say("standing.own"), None))
    items = [
        Item(text, functools.partial(_stand, desk, view, StandingAnswer(kind, choice)))
        for text, choice in answers
    ]
    question = view.my_question()
    if question is not None and offer.has_vain(question):
        stand = functools.partial(_stand, desk, view, WHERE_VAIN)
        items.insert(0, Item(desk.say("standing.vain"), stand))
    if view.ask.settle.has_pass:
        stand = functools.partial(_stand, desk, view, WHERE_AGAIN)
        items.append(Item(desk.say("standing.again"), stand))
    for lapse in ("", *offer.lapses_now(view, kind)):
        text = desk.say("standing.never")
        if lapse:
            text = desk.say("standing.until", passing.lapse_name(desk.speaker, lapse))
        on = offer.covered(kind, lapse)
        items.append(Item(text, functools.partial(_pass, desk, view, StandingPass(on, lapse))))
    every = functools.partial(_open_list, desk, view)
    return Menu(desk, "box.standing", [*items, Item(desk.say("standing.list"), every)])


def _stand(desk: Desk, view: TableView, one: StandingAnswer) -> None:
    answers = desk.model.answers
    answers[view.room_id] = with_answer(answers.get(view.room_id, ()), one)
    desk.model.tell(desk.say("standing.set", answer_text(desk.speaker, view, one)))


def _pass(desk: Desk, view: TableView, one: StandingPass) -> None:
    set_pass(desk, view, one.kind, one.lapse)
    said = passing.pass_text(desk.speaker, view, one.written)
    desk.model.tell(desk.say("standing.set", said))


def _open_list(desk: Desk, view: TableView) -> None:
    desk.open(passing_menu(desk, view))
