"""Initial cursor for every kind of question of the rules.

Enter alone must not waste a free reroll, a card or an action.
"""

from collections.abc import Iterator, Mapping
from typing import Final

import pytest

from client.plugs.face import face_of
from client.widgets.answering import PROPOSED, Answering
from protocol.common.asks import Choice, Question
from protocol.common.table import LOG_VERSION, Stage
from server.kernel.game import Game
from server.rulekit.offers import RISK
from tests.games.second_edition.house_pack import house
from tests.games.second_edition.random_games import scenarios
from tests.games.second_edition.simulate import core_words, simulate

pytestmark = pytest.mark.issue(38)
SOME, MANY = 5, 400
"""Number of games in every run of the tests, and in the long run."""
_GOES_ON = frozenset({"move", "look", "fight", "use"})
_TIE = frozenset({"", "proposed"})
"""Groups of choices that break a tie; `proposed` if the rules propose one."""
BEGINS: Final[Mapping[str, frozenset[str]]] = {
    "ask/assault": frozenset({"free", "choice/let_stand"}),
    "ask/choose_anybody": frozenset({""}),
    "ask/choose_investigator_by": _TIE,
    "ask/choose_monster_by": frozenset({"fight", "proposed"}),
    "ask/code": frozenset({"look", "choice/puzzle_close"}),
    "ask/code_pieces": frozenset({"several"}),
    "ask/end_phase": frozenset({"look", "choice/end_phase"}),
    "ask/evade": frozenset({"fight"}),
    "ask/fire_spreads": _TIE,
    "ask/heal_damage": frozenset({""}),
    "ask/heal_horror": frozenset({""}),
    "ask/horror": frozenset({"fight"}),
    "ask/horror_order": _TIE,
    "ask/lock": frozenset({"move", "choice/puzzle_close"}),
    "ask/look_meanwhile": frozenset({"look"}),
    "ask/may_enter": frozenset({"choice/stay"}),
    "ask/may_follow": frozenset({"choice/stay"}),
    "ask/may_follow_through": frozenset({"choice/stay"}),
    "ask/may_move": frozenset({"choice/stay"}),
    "ask/monster_attacks_by": _TIE,
    "ask/monster_toward_by": _TIE,
    "ask/monster_way": _TIE,
    # Only a move that would be lost whole does not begin on its end.
    "ask/move": _GOES_ON | {"choice/stop"},
    "ask/moved_away": frozenset({"move", "proposed"}),
    "ask/moved_toward": frozenset({"move", "proposed"}),
    "ask/next_turn_of_round": frozenset({"look", "choice/take_turn"}),
    "ask/order": frozenset({"several"}),
    "ask/pick_up": frozenset({"use"}),
    "ask/prevent": frozenset({""}),
    "ask/push": frozenset({"move"}),
    "ask/pushed": frozenset({"move"}),
    "ask/put_out": frozenset({"use"}),
    # Before the dice are thrown, nothing is used up; the worst die comes first.
    "ask/reroll": frozenset({"", "several"}),
    "ask/set_fire": frozenset({"use", RISK}),
    "ask/slide": frozenset({"move", "choice/puzzle_close"}),
    "ask/starting_item": frozenset({"use"}),
    "ask/starting_items": frozenset({"proposed"}),
    "ask/steal": frozenset({"several"}),
    "ask/steal_skill": frozenset({"use"}),
    "ask/test": frozenset({"free", "choice/accept"}),
    "ask/test_difficulty": frozenset({"free", "choice/accept"}),
    # If there is nothing but things to drop, the end is where it begins, and is confirmed.
    "ask/trade": frozenset({"use", "choice/trade_close", RISK}),
    # If nothing but the end is left, it is where the cursor begins, and is confirmed.
    "ask/turn": _GOES_ON | {RISK},
    "ask/turn_damage": frozenset({""}),
    "ask/turn_horror": frozenset({""}),
    "ask/usual_order": frozenset({"proposed"}),
    "ask/which_first": frozenset({""}),
    # Choices that a pack declares.
    "CONFLICT-1": frozenset({""}),
    "INTERACT-3": frozenset({""}),
}
"""
Groups of choices on which the cursor begins, by kind of question. For a choice that ends something,
the choice itself; `several` if the player marks choices, since Enter alone then sends none.
"""
OLD = frozenset(
    {
        *("ask/activation_over", "ask/choose_investigator", "ask/choose_monster"),
        *("ask/end_mythos", "ask/monster_attacks", "ask/monster_toward", "ask/next_turn"),
    }
)
"""Kinds of question in games begun before version 3."""
FACE = face_of("second_edition")


def questions(seeds: range) -> Iterator[tuple[str, Question]]:
    """Yield the questions in random games, each with its kind."""
    every = scenarios()
    for seed in seeds:
        game = simulate(seed, seed % 5 + 1, pack=house())
        game.scenario = every[seed // 5 % len(every)]
        game.open()
        while game.room.table.room.stage is not Stage.OVER:
            ask = game.room.table.room.ask
            assert ask is not None
            for sealed in ask.questions.values():
                for question in sealed.value.row:
                    subject = question.prompt.subject
                    yield subject if subject.startswith("ask/") else ask.rule, question
            game.step()


def beginning(question: Question) -> tuple[str, Choice | None]:
    """Return the kind of choice that the cursor begins on, and the choice, None for several."""
    answering = Answering(
        0,
        question,
        listing=FACE.listing,
        risks=FACE.risks,
        free=FACE.free,
        binding=FACE.binding,
    )
    chosen = answering.chosen
    if answering.is_many or chosen is None:
        return "several", None
    if chosen.ends and chosen.group not in {PROPOSED, RISK}:
        return chosen.text.subject, chosen
    return chosen.group, chosen


def faults(kind: str, question: Question) -> Iterator[str]:
    """Yield what is wrong with the initial cursor."""
    where, chosen = beginning(question)
    if where not in BEGINS.get(kind, ()):
        yield f"{kind}: {where!r}"
    if chosen is None:
        return
    groups = {choice.group for choice in question.choices}
    if "free" in groups and where != "free":
        yield f"{kind}: a free reroll is passed over"
    if where == RISK and groups != {RISK}:
        yield f"{kind}: begins on what is confirmed twice"
    if chosen.text.subject == "choice/drop":
        yield f"{kind}: begins on dropping"
    stop = [one for one in question.choices if one.text.subject == "choice/stop"]
    if kind == "ask/move" and stop[0].group != RISK and "move" in groups and not chosen.ends:
        yield f"{kind}: begins on a step"


def held(seeds: range, monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Play games by the newest rules; fail on any fault, else return the kinds that came up."""
    # Rooms without signatures are of an earlier version; the rules alone are those of today.
    monkeypatch.setattr(Game, "version", LOG_VERSION)
    found, seen = set[str](), set[str]()
    for kind, question in questions(seeds):
        seen.add(kind)
        found |= {*faults(kind, question)}

    assert found == set()
    return seen


def test_the_cursor_begins_where_enter_discards_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = held(range(SOME), monkeypatch)

    assert {"ask/turn", "ask/move", "ask/trade", "ask/test"} <= seen


@pytest.mark.long
def test_every_kind_comes_up_in_many_games(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = held(range(MANY), monkeypatch)

    assert BEGINS.keys() - seen <= {"ask/horror_order", "ask/monster_way", "ask/lock"}


def test_the_table_has_every_kind_of_question() -> None:
    """The prompts are found in the words of the rules."""
    kinds = {subject for subject in core_words()["en"] if subject.startswith("ask/")}

    assert {kind for kind in BEGINS if kind.startswith("ask/")} | OLD == kinds
