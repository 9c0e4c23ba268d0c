"""The Roll at Thornrigg: five allies, what they tell, what is wrong with them, and the law."""

from collections import Counter
from collections.abc import Iterable

import pytest

from content.games.first_edition.answers import Answers, sets_of
from content.games.first_edition.prospects import steps_in
from content.games.first_edition.schema.effects import Say
from content.games.first_edition.schema.pack import Pack
from content.games.first_edition.schema.story import Knowers, Story
from protocol.games.first_edition import events as fe
from protocol.games.first_edition.words import Side, StoryDeck, TaleKind
from server.games.first_edition.rules import objective, tales
from server.games.first_edition.rules.play import GameOver
from tests.games.first_edition.house import manor
from tests.games.first_edition.rules.test_stories_played import NORA, at_event

pytestmark = pytest.mark.issue(41)

SUSPECTS = {"the-landlord": "gaunt", "the-doctor": "penhale", "the-post-boy": "dunmore"}
ACCOUNTS = ("hearth", "field", "breath")


@pytest.fixture(scope="module", name="pack")
def load_pack() -> Pack:
    return manor()


@pytest.fixture(name="story")
def story_of(pack: Pack) -> Story:
    return pack.scenarios["manor/roll-call"]


@pytest.mark.rule("W-COMP-5", "W-ALLY-7", "W-CARD-8")
def test_five_allies_tell_31_story_cards_of_all_kinds(pack: Pack, story: Story) -> None:
    assert {one.ally for one in story.allies} == set(pack.allies)
    assert Counter(len(one.tales) for one in story.allies) == {6: 4, 7: 1}
    kinds = {tale.kind for one in story.allies for tale in one.tales}
    assert kinds == set(TaleKind)


@pytest.mark.rule("W-COMP-9", "W-STORY-1", "W-SECRET-11")
def test_each_ally_has_one_of_ten_delusions_that_the_keeper_knows(story: Story) -> None:
    (deck,) = [one for one in story.decks if one.deck is StoryDeck.DELUSION]
    assert deck.each_ally
    assert deck.knowers is Knowers.KEEPER
    assert sum(card.copies for card in deck.cards) == len(deck.cards) == 10
    assert all(card.trigger is not None for card in deck.cards)


HEARTH = {"purpose": "the-hearth", "payer": "the-doctor", "hidden-by": "the-sexton"}
ALLIES = {
    "ally/mercy-hallam": "hallam",
    "ally/amos-gaunt": "gaunt",
    "ally/ivor-penhale": "penhale",
    "ally/nan-tolley": "tolley",
    "ally/kit-dunmore": "dunmore",
}
"""The counter that says whether an ally was called, by ally."""


def dead(answers: dict[str, str], *allies: str, heard: int, called: Iterable[str] = ()) -> bool:
    """
    Return whether the keeper has won once some allies are dead.

    Args:
        answers: the keeper's answers.
        allies: those who die, in order.
        heard: how many of them have told a story card: the first ones.
        called: those who were called in the school.
    """
    bench = at_event("roll-call", 0, answers)
    tales.lay_out(bench.game)
    for ally in called:
        bench.emit(fe.CounterChanged(ALLIES[ally], 1))
    for ally in allies[:heard]:
        bench.run(tales.tell(bench.game, ally, NORA), ...)
    for ally in allies:
        bench.emit(fe.AllyGone(ally, is_killed=True))
    try:
        objective.check(bench.game)
    except GameOver:
        ending = bench.game_table.ending
        assert ending is not None
        return ending.winners == (Side.KEEPER,)
    return False


@pytest.mark.rule("W-ALLY-16", "W-DECIDE-29", "W-DECIDE-32")
@pytest.mark.parametrize("account", ACCOUNTS)
@pytest.mark.parametrize("ally", ["ally/mercy-hallam", "ally/nan-tolley"])
def test_whatever_the_account_nobody_may_die_to_whom_nobody_has_talked(
    account: str, ally: str
) -> None:
    answers = {**HEARTH, "purpose": f"the-{account}"}

    assert dead(answers, ally, heard=0)
    assert not dead(answers, ally, heard=1)


def test_the_hearth_is_lost_when_three_died_who_were_not_called() -> None:
    three = [*ALLIES][1:4]

    assert dead(HEARTH, *three, heard=3)
    assert not dead(HEARTH, *three[:2], heard=2)
    assert not dead(HEARTH, *three, heard=3, called=three[:1])


def texts(story: Story, tale: str, answers: Answers) -> set[str]:
    """Return what a story card of an ally says for these answers, without the story's name."""
    found = next(one for ally in story.allies for one in ally.tales if one.id == tale)
    said = [one for one in steps_in(found.effect, answers) if isinstance(one, Say)]
    return {one.text.removeprefix("roll-call/") for one in said}


def test_two_of_them_clear_the_two_who_have_not_paid(story: Story) -> None:
    for answers in sets_of(story):
        innocent = {name for who, name in SUSPECTS.items() if who != answers["payer"]}
        cleared = {
            *texts(story, "tale/handwriting", answers),
            *texts(story, "tale/what-bees-say", answers),
        }
        assert {one.rpartition("-")[2] for one in cleared} == innocent


def test_two_of_them_rule_out_the_two_other_accounts(story: Story) -> None:
    for answers in sets_of(story):
        others = {one for one in ACCOUNTS if f"the-{one}" != answers["purpose"]}
        ruled_out = {
            *texts(story, "tale/what-they-die-of", answers),
            *texts(story, "tale/what-they-leave", answers),
        }
        assert {one.rpartition("-")[2] for one in ruled_out} == others


@pytest.mark.parametrize(
    ("tale", "question"),
    [
        ("tale/handwriting", "payer"),
        ("tale/what-bees-say", "payer"),
        ("tale/what-they-die-of", "purpose"),
        ("tale/what-they-leave", "purpose"),
    ],
)
def test_no_text_of_one_card_is_said_for_one_answer_alone(
    story: Story, tale: str, question: str
) -> None:
    """Somebody who has read the story's file must not know the answer from one card."""
    said: dict[str, set[str]] = {}
    for answers in sets_of(story):
        for text in texts(story, tale, answers):
            said.setdefault(text, set()).add(answers[question])
    assert {text: len(given) for text, given in said.items()} == dict.fromkeys(said, 2)
    assert len(said) == 3


@pytest.mark.rule("W-USE-1")
def test_outdoor_stories_share_no_room_clue_event_tale_or_keeper_action_of_their_own(
    pack: Pack,
) -> None:
    """Actions that lie open in a base story, too, belong to the box."""
    outdoor = [story for story in pack.scenarios.values() if story.outdoor]
    common = {one for s in pack.scenarios.values() if not s.outdoor for one in s.all_actions}

    def own(story: Story) -> set[str]:
        ids = {one.id for one in story.rooms} | {one.id for one in story.clues}
        ids |= {one.id for one in story.events} | {one.id for one in story.objectives}
        ids |= {tale.id for one in story.allies for tale in one.tales}
        return ids | ({*story.all_actions} - common)

    counted = Counter(id_ for story in outdoor for id_ in own(story))
    assert [id_ for id_, number in counted.items() if number > 1] == []


def asked(who: str) -> tuple[Side, ...]:
    """Return the winners once it was put to somebody before the book was found; the doctor pays."""
    answers = {"purpose": "the-field", "payer": "the-doctor", "hidden-by": "the-sexton"}
    bench = at_event("roll-call", 0, answers)
    tales.lay_out(bench.game)
    bench.emit(fe.CounterChanged(f"put-to-{who}", 1))
    bench.emit(fe.CounterChanged("patience", 0))
    try:
        objective.check(bench.game)
    except GameOver:
        ending = bench.game_table.ending
        assert ending is not None
        return ending.winners
    return ()


def test_there_is_one_question_to_put_so_that_guessing_among_two_is_no_way(story: Story) -> None:
    """The second event clears one of three aloud: with two questions nobody had to listen."""
    (patience,) = [one for one in story.counters if one.id == "patience"]
    assert patience.start == patience.most == 1
    assert asked("gaunt") == (Side.KEEPER,)
    assert asked("penhale") == ()
