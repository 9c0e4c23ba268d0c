"""Help on a question: the rule behind it, and the rules behind refusals."""

import attrs
import pytest

from client.locale import load
from client.locale.speaker import Speaker
from client.locale.word_store import WordStore
from client.model.tables import TableView
from client.screens.table.explained import explained
from protocol.common.asks import RefusedChoice
from protocol.common.text import Text
from tests.games.second_edition.client.scripted import (
    ROOM,
    Script,
    action_question,
    asked,
    playing,
    words,
)


def said(script: Script, seat: int | None = 0, store: WordStore | None = None) -> list[str]:
    """Return the help on the open question, as a seat's player reads it; None for a spectator."""
    view = TableView(ROOM, seat)
    view.receive(script.cuts(seat))
    speaker = Speaker(load("en"), store or words())
    return [text for _, text in explained(speaker, view.ask, view.my_question())]


ASKED = [
    "The question: Taking a turn (TURN-2)",
    "Two actions are yours, the same one twice if you like. What you leave is lost.",
]


def test_the_rule_that_asks_stands_before_those_that_refuse() -> None:
    assert said(asked()) == [
        *ASKED,
        "",
        "Not possible now",
        "x Trade: nobody is in your space",
        "Who takes part (TRADE-1). A trade is for everybody in one space, and for nobody else.",
    ]


@pytest.mark.parametrize("seat", [1, None])
def test_whoever_waits_reads_why_the_other_is_asked(seat: int | None) -> None:
    assert said(asked(), seat) == ASKED


def test_a_rule_that_refuses_several_things_is_explained_once() -> None:
    script = playing()
    refused = tuple(
        RefusedChoice(Text("refuse/trade"), Text("refuse/alone"), rule)
        for rule in ("TRADE-1", "TURN-2", "TRADE-1")
    )
    question = attrs.evolve(action_question(), refused=refused)
    script.ask({0: question}, about=Text("ask/action", ("investigator/ada", 2)), rule="TURN-2")

    assert said(script)[4:] == [
        "x Trade: nobody is in your space",
        "x Trade: nobody is in your space",
        "Who takes part (TRADE-1). A trade is for everybody in one space, and for nobody else.",
        "",
        "x Trade: nobody is in your space",
        "Taking a turn (TURN-2)",
    ]


def test_what_led_to_the_question_is_told_after_its_rule() -> None:
    script = playing()
    chain = (Text("ask/action", ("investigator/ada", 2)), Text("refuse/trade"))
    script.ask({0: action_question()}, about=Text("ask/turn"), rule="TURN-2", within=chain)

    for seat in (0, 1):
        told = said(script, seat)
        at = told.index("It is asked because of this, outermost first:")
        assert told[at + 2] == "2. Trade"


def test_rules_without_words_are_named_by_their_ids() -> None:
    subjects = {"refuse/trade": {"text": "Trade"}, "refuse/alone": {"text": "Alone."}}

    assert said(asked(), store=WordStore(subjects, "en")) == [
        "The question: TURN-2",
        "",
        "Not possible now",
        "x Trade: Alone",
        "TRADE-1",
    ]


def test_where_nothing_is_asked_nothing_is_explained() -> None:
    assert said(playing()) == []
