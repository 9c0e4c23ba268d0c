"""Hidden keeper actions, and what investigators choose in secret: W-KACTION-1, W-STORY-4 to 6."""

from typing import Any

import attrs
import pytest

from content.games.first_edition.schema.effects import Suffer
from content.games.first_edition.schema.requirements import Answered
from content.games.first_edition.schema.story import (
    Counter,
    QuestionOption,
    StoryQuestion,
)
from content.games.first_edition.schema.targets import Who
from protocol.common.events import Dealt
from protocol.common.text import Text
from protocol.games.first_edition import events as fe
from protocol.games.first_edition.table import KeeperStep
from protocol.games.first_edition.words import INVESTIGATOR
from server.games.first_edition.rules import answers, keeper_actions, objective, requirements, setup
from server.games.first_edition.rules.play import Source
from tests.games.first_edition.rules.bench import KIM, Bench
from tests.games.first_edition.rules.house import before_setup, breaks, seen, view
from tests.games.first_edition.rules.worlds import (
    ADA,
    BEN,
    CORA,
    action_card,
    by_id,
    told,
)

pytestmark = pytest.mark.issue(41)
rule = pytest.mark.rule

GOAL = StoryQuestion("goal", (QuestionOption("wake"), QuestionOption("flood")), by_vote=True)
PLACE = StoryQuestion("place", (QuestionOption("shelf"), QuestionOption("well")))
SPECTATOR = None

HURT = action_card("hurt", Suffer(damage=1, who=Who.ALL), threat=2, once=True)
DEAR = action_card("dear", Suffer(damage=1, who=Who.ALL), threat=9)
BELL = action_card("bell", Suffer(horror=1, who=Who.ALL), threat=0, tokens={"bells": 1})
OPEN = action_card("open", Suffer(damage=1, who=Who.ALL), threat=1)
ACTIONS = by_id(HURT, DEAR, BELL, OPEN)
HIDDEN = ("action/hurt", "action/dear", "action/bell")
TOKEN = Counter("bells", start=1, is_token=True)


def traits(who: str) -> tuple[str, str]:
    name = who.partition("/")[2]
    return (f"trait/{name}-body-1", f"trait/{name}-mind-1")


def voted(*votes: str, keeper: Any = "shelf", **fields: Any) -> Bench:
    """Return a game that was set up with these answers of Ada, Ben and Cora."""
    people = (ADA, BEN, CORA)[: len(votes)]
    given = {"questions": (GOAL, PLACE), "variants": False, "outdoor": True, **fields}
    bench = before_setup(people, {"actions": ACTIONS}, **given)
    rows = {at: (*traits(who), votes[at - 1]) for at, who in enumerate(people, 1)}
    bench.run(setup.set_up(bench.game), {KIM: keeper, **rows})
    return bench


@rule("K-DECIDE-4", "W-DECIDE-47")
def test_the_opening_text_comes_before_the_questions_that_are_about_it() -> None:
    bench = before_setup((ADA,), questions=(GOAL, PLACE), variants=False, outdoor=True)
    bench.run(setup.set_up(bench.game), ...)

    assert [text.subject for text in told(bench)] == ["tests/intro"]
    assert fe.AnswersGiven not in {type(event) for event in bench.log}


def keeping(*picks: str, threat: int = 3, **fields: Any) -> Bench:
    """Return a game in whose setup the keeper had hidden actions, in step 4 of the keeper."""
    given = {
        "hidden_actions": HIDDEN,
        "actions": ("action/open",),
        "counters": (TOKEN,),
        "questions": (GOAL,),
        **fields,
    }
    if picks:
        given["action_picks"] = len(picks)
    bench = voted("wake", keeper=picks or None, **given)
    bench.emit(fe.ThreatChanged(threat))
    bench.emit(fe.KeeperStepBegan(KeeperStep.ACTIONS))
    return bench


def goal_of(bench: Bench) -> str:
    assert bench.game_table.objective is not None
    return bench.game_table.objective.value


def offered(bench: Bench) -> dict[str, bool]:
    """Return the keeper actions that the keeper is shown, with whether each can be used."""
    bench.run(keeper_actions.step(bench.game), ...)
    assert bench.open is not None
    prompt = bench.open.prompts[KIM]
    can = {str(one.text.params[0]): True for one in prompt.options if one.text.params}
    return {**{str(one.text.params[0]): False for one in prompt.refused if one.text.params}, **can}


# The vote


@rule("W-DECIDE-47", "W-STORY-4", "W-EX-23")
@pytest.mark.parametrize(
    ("votes", "goal"),
    [
        (("wake", "flood", "flood"), "flood"),
        (("wake", "flood"), "wake"),
        (("flood", "wake"), "flood"),
        (("flood",), "flood"),
    ],
)
def test_most_answers_win_and_of_as_many_those_of_the_first_giver(
    votes: tuple[str, ...], goal: str
) -> None:
    assert goal_of(voted(*votes)) == f"objective/{goal}"


@rule("W-DECIDE-47", "W-DECIDE-51")
@pytest.mark.parametrize("votes", [("flood", "wake"), ("wake", "flood")])
def test_each_of_two_that_one_player_leads_answers_and_the_first_decides(
    votes: tuple[str, str],
) -> None:
    bench = before_setup(
        (ADA, BEN), are_led_by_one=True, questions=(GOAL,), variants=False, outdoor=True
    )
    row = (*traits(ADA), votes[0], *traits(BEN), votes[1])
    bench.run(setup.set_up(bench.game), {1: row})

    assert goal_of(bench) == f"objective/{votes[0]}"
    assert len(bench.asked[-1].prompts[1].row) == 6


@rule("W-DECIDE-47", "W-STORY-4")
def test_investigators_vote_beside_their_traits_while_the_keeper_answers_the_rest() -> None:
    bench = voted("wake", "flood")

    prompts = bench.asked[-1].prompts
    assert len(bench.asked) == 1
    assert set(prompts) == {KIM, 1, 2}
    assert [one.prompt.subject for one in prompts[KIM].row] == ["ask/story"]
    assert [one.prompt.subject for one in prompts[1].row] == [
        "ask/physical_trait",
        "ask/mental_trait",
        "ask/vote",
    ]


@rule("W-STORY-5", "W-SECRET-6", "W-EX-23")
def test_investigators_alone_know_the_objective_that_they_chose() -> None:
    bench = voted("wake", "flood", "flood")

    for seat in (1, 2, 3):
        goal, vote = view(bench, seat).objective, view(bench, seat).vote
        assert goal is not None
        assert goal.value == "objective/flood"
        assert vote is not None
        assert vote.value == {"goal": "flood"}
    for other in (KIM, SPECTATOR):
        goal, vote = view(bench, other).objective, view(bench, other).vote
        assert goal is not None
        assert not goal.is_open
        assert vote is not None
        assert not vote.is_open


@rule("W-SECRET-5", "W-SECRET-6", "W-DECIDE-46")
def test_the_keepers_own_answers_are_the_keepers_alone() -> None:
    bench = voted("wake", keeper="well")

    own, theirs = view(bench, KIM).answers, view(bench, 1).answers
    assert own is not None
    assert own.value == {"place": "well"}
    assert theirs is not None
    assert not theirs.is_open


@rule("W-DECIDE-47", "W-SECRET-6")
def test_a_newcomer_in_an_investigators_seat_can_read_what_was_chosen() -> None:
    """It is sealed to the role, and not to those who have the seats now."""
    (counted,) = voted("wake", "flood").happened(fe.VoteCounted)
    (chosen,) = voted("wake", "flood").happened(fe.ObjectiveSet)

    assert counted.role == chosen.role == INVESTIGATOR


@rule("W-STORY-6", "W-DECIDE-46")
@pytest.mark.parametrize(("place", "vote"), [("shelf", "wake"), ("well", "flood")])
def test_the_story_asks_for_the_answers_of_both_sides(place: str, vote: str) -> None:
    bench = voted(vote, keeper=place)

    def is_so(question: str, option: str) -> bool:
        return requirements.holds(bench.game, Answered(question, option), Source("x/y"))

    assert is_so("place", place)
    assert is_so("goal", vote)
    assert not is_so("goal", "flood" if vote == "wake" else "wake")


@rule("W-SECRET-6", "W-STORY-5")
def test_the_objective_is_revealed_like_any() -> None:
    bench = voted("flood")
    objective.reveal(bench.game)

    assert bench.game_table.revealed == "objective/flood"
    assert view(bench, KIM).revealed == "objective/flood"


@rule("W-STORY-5", "W-SECRET-6")
@pytest.mark.parametrize("vote", ["wake", "flood"])
def test_investigators_read_the_guide_and_the_keeper_one_for_all_objectives(vote: str) -> None:
    bench = voted(vote)

    def guides(seat: int | None) -> list[Text]:
        read = [one.event for one in seen(bench, seat) if isinstance(one.event, fe.ToldKeeper)]
        return [one.text.value for one in read if one.text.is_open]

    assert guides(1) == [Text(f"guide/{vote}")]
    assert guides(KIM) == [Text("guide/story")]
    assert guides(SPECTATOR) == []


@rule("W-DECIDE-47", "K-DECIDE-5")
def test_in_a_fixed_setup_the_lot_answers_for_both_sides(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = before_setup(
        (ADA,),
        {"actions": ACTIONS},
        questions=(GOAL, PLACE),
        variants=False,
        outdoor=True,
        hidden_actions=HIDDEN,
        action_picks=2,
        counters=(TOKEN,),
    )
    monkeypatch.setattr(type(bench.game), "is_setup_fixed", True)
    bench.run(setup.set_up(bench.game), {1: traits(ADA)})

    assert set(bench.asked[-1].prompts) == {1}
    assert set(answers.of_both(bench.game_table)) == {"goal", "place"}
    assert [one.purpose for one in bench.happened(Dealt)][:3] == ["answer", "answer", "action"]
    assert len(bench.game_table.hidden_actions) == 2
    vote = view(bench, 1).vote
    assert vote is not None
    assert vote.is_open


# Hidden keeper actions


@rule("W-KACTION-1", "W-DECIDE-43", "W-SECRET-3", "W-CARD-12", "W-EX-20")
def test_an_action_that_was_never_used_is_known_to_the_keeper_alone() -> None:
    bench = keeping()

    assert [one.value.card for one in view(bench, KIM).hidden_actions] == list(HIDDEN)
    for seat in (1, SPECTATOR):
        table = view(bench, seat)
        assert [one.is_open for one in table.hidden_actions] == [False] * 3
        assert not any(card in repr(seen(bench, seat)) for card in HIDDEN)
        assert [one.card for one in table.actions] == ["action/open"]


@rule("W-DECIDE-43", "W-SECRET-3")
def test_the_keeper_knows_what_a_hidden_action_costs_before_a_question_offers_it() -> None:
    bench = voted("wake", hidden_actions=HIDDEN, actions=("action/open",), counters=(TOKEN,))

    actions = [one.value for one in view(bench, KIM).hidden_actions]
    assert [(one.threat, one.tokens, one.is_once) for one in actions] == [
        (2, (), True),
        (9, (), False),
        (0, (("bells", 1),), False),
    ]
    assert not any(one.is_open for one in view(bench, 1).hidden_actions)


@rule("W-DECIDE-43", "W-DECIDE-45")
@pytest.mark.parametrize("change", [{"threat": 1}, {"is_once": False}, {"uses": 1}, {"card": "x"}])
def test_a_hidden_action_shown_otherwise_than_it_was_sealed_breaks_a_law(change: Any) -> None:
    bench = keeping()
    first = bench.game_table.hidden_actions[0]
    opened = bench.game.disclose(first)

    assert not breaks(bench, fe.ActionShown(opened, first.value))
    assert breaks(bench, fe.ActionShown(opened, attrs.evolve(first.value, **change)))


@rule("W-DECIDE-44")
def test_the_keeper_picks_of_a_pool_by_what_each_costs() -> None:
    bench = keeping("action/bell", "action/hurt")

    (row,) = (ask for ask in bench.asked if ask.rule == "K-DECIDE-4")
    (prompt,) = row.prompts[KIM].row
    assert [one.text.params for one in prompt.options] == [
        ("action/hurt", 2),
        ("action/dear", 9),
        ("action/bell", 0),
    ]


@rule("W-KACTION-1", "W-DECIDE-43", "W-DECIDE-45", "W-SECRET-4", "W-EX-20")
def test_a_hidden_action_lies_open_from_its_first_use_on_with_its_cost() -> None:
    bench = keeping()
    bench.run(keeper_actions.step(bench.game), "action/hurt", ...)

    for seat in (KIM, 1, SPECTATOR):
        table = view(bench, seat)
        line = next(one for one in table.actions if one.card == "action/hurt")
        assert (line.threat, line.is_once, line.uses) == (2, True, 1)
        assert (table.threat, len(table.hidden_actions)) == (1, 2)
    kinds = [type(event) for event in bench.log]
    assert kinds.index(fe.ActionShown) + 1 == kinds.index(fe.KeeperActed)


@rule("W-DECIDE-43", "W-SECRET-4")
def test_an_action_is_shown_once_and_offered_once() -> None:
    bench = keeping(threat=9)
    bench.run(keeper_actions.step(bench.game), "action/hurt", ...)
    bench.emit(fe.KeeperStepBegan(KeeperStep.ACTIONS))
    assert list(offered(bench)).count("action/hurt") == 1
    bench.run(keeper_actions.step(bench.game), "action/hurt", ...)

    assert len(bench.happened(fe.ActionShown)) == 1
    assert len(bench.happened(fe.KeeperActed)) == 2


@rule("W-KACTION-1", "W-DECIDE-43")
def test_hidden_actions_are_offered_and_refused_at_their_cost() -> None:
    bench = keeping()
    shown = offered(bench)

    assert shown == {
        "action/open": True,
        "action/hurt": True,
        "action/dear": False,
        "action/bell": True,
    }


@rule("W-KACTION-1", "W-DECIDE-43")
@pytest.mark.parametrize("pool", [("action/dear",), ("action/bell",)])
def test_while_one_is_hidden_the_keeper_is_asked_whatever_it_costs(pool: tuple[str, ...]) -> None:
    bench = keeping(hidden_actions=pool, actions=(), threat=0)
    assert keeper_actions.may_act(bench.game)


@rule("W-DECIDE-43")
def test_once_none_is_hidden_public_facts_decide_whether_the_keeper_is_asked() -> None:
    bench = keeping(hidden_actions=("action/hurt",), actions=(), threat=2)
    bench.run(keeper_actions.step(bench.game), "action/hurt", ...)

    assert not bench.game_table.hidden_actions
    assert not keeper_actions.may_act(bench.game)


@rule("W-DECIDE-44")
def test_the_keeper_takes_some_of_a_pool_in_the_row_of_questions() -> None:
    bench = keeping("action/bell", "action/hurt")

    (row,) = (ask for ask in bench.asked if ask.rule == "K-DECIDE-4")
    (prompt,) = row.prompts[KIM].row
    assert (prompt.at_least, prompt.at_most, len(prompt.options)) == (2, 2, 3)
    taken = {one.value.card for one in bench.game_table.hidden_actions}
    assert taken == {"action/hurt", "action/bell"}


@rule("W-DECIDE-44", "W-SECRET-3")
@pytest.mark.parametrize("place", [0, 1])
def test_taken_actions_are_laid_in_an_order_that_is_drawn(place: int) -> None:
    """In that of the pool the place of one that is used would tell which others were not taken."""
    bench = before_setup(
        (ADA,),
        {"actions": ACTIONS},
        questions=(GOAL,),
        variants=False,
        outdoor=True,
        hidden_actions=HIDDEN,
        action_picks=2,
        counters=(TOKEN,),
    )
    # What counts when time is up is drawn before: for the vote, and for each of the pool.
    bench.give_picks(0, *[0] * len(HIDDEN), place)
    bench.run(setup.set_up(bench.game), {KIM: HIDDEN[:2], 1: (*traits(ADA), "wake")})

    laid = [one.value.card for one in bench.game_table.hidden_actions]
    assert laid == [HIDDEN[place], HIDDEN[1 - place]]


@rule("W-DECIDE-44", "W-DECIDE-47", "W-SECRET-14")
@pytest.mark.parametrize("drawn", [0, 1])
def test_what_counts_when_time_is_up_is_drawn_out_of_sight(drawn: int) -> None:
    """That time was up is public: a first option would tell how a seat has voted."""
    bench = before_setup(
        (ADA,),
        {"actions": ACTIONS},
        questions=(GOAL, PLACE),
        variants=False,
        outdoor=True,
        hidden_actions=HIDDEN,
        action_picks=1,
        counters=(TOKEN,),
    )
    bench.give_picks(drawn, drawn, drawn)
    bench.run(setup.set_up(bench.game), {KIM: ("shelf", HIDDEN[0]), 1: (*traits(ADA), "wake")})

    prompts = bench.asked[-1].prompts
    assert [one.default for one in prompts[1].row] == [None, None, (drawn,)]
    assert [one.default for one in prompts[KIM].row] == [(drawn,), (drawn,)]
    assert all(one.choice.audience == () for one in bench.happened(Dealt))


@rule("W-DECIDE-44", "W-CARD-1")
def test_without_a_number_to_pick_the_keeper_has_all() -> None:
    assert len(keeping().game_table.hidden_actions) == len(HIDDEN)


@rule("W-DECIDE-45")
def test_threat_that_is_paid_shows_at_once() -> None:
    bench = keeping()
    bench.run(keeper_actions.step(bench.game), "action/hurt", ...)

    assert view(bench, 1).threat == 1
