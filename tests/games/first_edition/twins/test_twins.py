"""Twin games: nothing that is sent to others tells a secret of the keeper."""

import functools
from typing import Any

import pytest

from content.games.first_edition.schema.story import Knowers
from protocol.archive import load
from protocol.audit import audit
from protocol.common.table import LaidReady
from protocol.games.first_edition.table import MYTHOS_HAND, TRAUMA_HAND
from protocol.games.first_edition.words import StoryDeck
from tests.games.first_edition.twins.evenings import Evening, evening, first_in
from tests.games.first_edition.twins.faults import LEAKS
from tests.games.first_edition.twins.pairs import (
    BACKS,
    BOT,
    BY_LOW_WATER,
    DELAYED,
    DRAWN,
    ERRANDS,
    FACE_DOWN,
    FALLEN,
    FERRYMAN,
    HALL_AND_BACK,
    HANDS,
    HIDDEN_ACTIONS,
    OPEN_TALES,
    PITS,
    SPELLS,
    STORY_CARDS,
    TALES,
    TOKENS,
    TRAUMAS,
    USED_ACTION,
    VOTES,
    VOTES_APART,
    Pair,
    differences,
)

pytestmark = pytest.mark.issue(40)
rule = pytest.mark.rule

QUICK = (
    "a_card_of_the_story_is_named_as_it_is_dealt",
    "a_refusal_has_another_code",
    "a_spells_back_is_told",
    "an_export_goes_ahead_of_the_delay",
    "an_export_has_anothers_openings",
    "an_operator_sees_a_card",
    "asked_only_if_a_hidden_action_can_be_paid",
    "bots_are_sent_everything",
    "the_next_tale_is_told_by_its_kind",
    "time_tells",
    "whether_a_vote_was_split_shows",
)
"""
Leaks that every run plants: one for each viewer, and each kind of pair in which nothing may differ.
"""


@functools.cache
def usual() -> Evening:
    return evening(wishes=HALL_AND_BACK)


def laid(*plan: str, **table: Any) -> Evening:
    """Play an evening in which the keeper says this of a card when asked."""
    wishes = {"ann": HALL_AND_BACK["ann"], "kim": plan}
    order = first_in("deck/mythos", "mythos/hand-on-the-shoulder")
    return evening(order=order, wishes=wishes, **table)


@functools.cache
def with_nothing_laid(**table: Any) -> Evening:
    return laid("choice/lay_none", "choice/at_turn", "choice/lay_none", **table)


def card_in_hand(one: Evening, hand: str) -> str:
    (handle,) = one.game.hand(hand)
    return one.game.card_of(handle)


@rule("K-SECRET-5", "K-SECRET-6", "K-SECRET-7", "K-SECRET-8", "K-SECRET-19", "K-DECIDE-101")
@pytest.mark.parametrize(
    "answers",
    [
        ("notice-to-quit", "in-the-bedroom"),
        ("sitting-up", "in-the-dipping-room"),
        ("notice-to-quit", "in-the-dipping-room"),
    ],
)
def test_the_keepers_answers_are_not_told(answers: tuple[str, ...]) -> None:
    twin = evening(answers=answers, wishes=HALL_AND_BACK)

    given = [one.game.answers for one in (twin, usual())]
    assert len({tuple(one.value.items()) for one in given if one is not None}) == 2
    assert differences(usual(), twin) == {}


@rule("K-SECRET-1", "K-SECRET-12", "K-SECRET-20")
def test_a_mythos_card_in_hand_is_not_told() -> None:
    """One can be played at all of these moments, the other one at none of them."""
    first, second = HANDS.play()

    assert card_in_hand(first, MYTHOS_HAND) != card_in_hand(second, MYTHOS_HAND)
    assert differences(first, second) == {}


@rule("K-SECRET-1", "K-INFO-5")
def test_nobody_can_follow_a_card_through_the_keepers_hand() -> None:
    """Two cards were drawn in one order or the other; the same one is played."""
    assert differences(*DRAWN.play()) == {}


@rule("K-SECRET-2")
def test_a_trauma_card_in_hand_is_not_told() -> None:
    first, second = TRAUMAS.play()

    assert card_in_hand(first, TRAUMA_HAND) != card_in_hand(second, TRAUMA_HAND)
    assert differences(first, second) == {}


@rule("K-SECRET-3", "K-MYTHOS-4")
def test_a_face_down_mythos_card_is_known_to_its_holder_alone() -> None:
    games = FACE_DOWN.play()

    people = [who for one in games for who in one.game.investigators.values()]
    held = {card.card.value for who in people for card in who.face_down}
    assert held == {"mythos/ticket", "mythos/dust-sheet"}
    assert set(differences(*games)) == {"ann", "ann again"}


@rule("K-SECRET-15")
def test_the_back_of_a_monster_is_not_told() -> None:
    games = BACKS.play()

    backs = {monster.back.value.back for one in games for monster in one.game.monsters.values()}
    assert len(backs) == 2
    assert differences(*games) == {}


@rule("K-SECRET-10")
def test_the_backs_of_spells_are_not_told() -> None:
    games = SPELLS.play()

    spells = [who.spells for one in games for who in one.game.investigators.values() if who.spells]
    backs = {one.game.card_of(held[0].handle) for one, held in zip(games, spells, strict=True)}
    assert len(backs) == 2
    assert differences(*games) == {}


def test_a_servers_bot_learns_nothing_of_the_keeper() -> None:
    assert differences(*BOT.play()) == {}


def test_delayed_spectators_see_nothing_ahead() -> None:
    found = set(differences(*DELAYED.play()))

    assert {"ann", "ben"} <= found
    assert not {"wat", "zoe"} & found


def test_a_strike_is_seen() -> None:
    """A card in public makes the messages differ: the comparison can find a difference."""
    struck = evening(
        order=first_in("deck/mythos", "mythos/draught"), wishes=HALL_AND_BACK, strikes=1
    )
    still = evening(order=first_in("deck/mythos", "mythos/draught"), wishes=HALL_AND_BACK)

    assert {"ann", "ben", "wat", "zoe", "ann again"} <= set(differences(still, struck))


@rule("K-SECRET-24", "K-DECIDE-107")
@pytest.mark.parametrize("table", [{"by_calendar": True}, {"laid_ready": LaidReady.ALWAYS}])
@pytest.mark.parametrize(
    "plan",
    [
        ["choice/lay_none", "choice/at_failed_test", "choice/lay_none"],
        ["mythos/hand-on-the-shoulder", "choice/at_turn", "choice/lay_none"],
        ["choice/lay_none", "choice/at_turn", "mythos/hand-on-the-shoulder", "choice/at_turn"],
    ],
)
def test_what_the_keeper_lays_ready_is_not_told(plan: list[str], table: dict[str, Any]) -> None:
    """The card cannot be played at any of these moments, so that nothing shows."""
    assert differences(with_nothing_laid(**table), laid(*plan, **table)) == {}


@pytest.mark.issue(41)
@rule("W-SECRET-6", "W-STORY-4", "W-STORY-5", "W-DECIDE-47", "W-EX-23")
def test_what_the_investigators_choose_is_told_neither_keeper_nor_spectator() -> None:
    games = VOTES.play()

    goals = {one.game.objective.value for one in games if one.game.objective is not None}
    assert goals == {"objective/sitting-up", "objective/notice-to-quit"}
    assert set(differences(*games)) == {"ann", "ben", "ann again"}


@pytest.mark.issue(41)
@rule("W-SECRET-6", "W-STORY-5", "W-DECIDE-47")
def test_neither_the_keeper_nor_a_spectator_is_told_the_errand_at_the_ninth_stone() -> None:
    games = ERRANDS.play()

    goals = {one.game.objective.value for one in games if one.game.objective is not None}
    assert goals == {"objective/carry-off", "objective/break-ring"}
    assert set(differences(*games)) == {"ann", "ben", "ann again"}


@pytest.mark.issue(41)
@rule("W-SECRET-1", "W-SECRET-2", "W-SECRET-10")
def test_nobody_is_told_what_lies_on_the_ground_by_low_water() -> None:
    games = BY_LOW_WATER.play()

    assert faces(games[0]) != faces(games[1])
    assert differences(*games) == {}


@pytest.mark.issue(41)
@rule("W-SECRET-14", "W-DECIDE-47")
def test_an_answer_in_a_vote_is_known_to_its_giver_alone() -> None:
    assert set(differences(*VOTES_APART.play())) == {"ben"}


@pytest.mark.issue(41)
@rule("W-SECRET-6", "W-SECRET-14", "W-DECIDE-47", "K-DECIDE-3")
@pytest.mark.parametrize(
    ("pair", "seat", "told"),
    [(VOTES, "kim", False), (VOTES, "ann", True), (VOTES_APART, "ann", False)],
)
def test_who_takes_over_a_seat_learns_of_a_vote_what_the_seat_knew(
    pair: Pair, seat: str, told: bool
) -> None:
    """The keeper's knows nothing of it, an investigator's the result and its own answer."""
    games = pair.play()
    for one in games:
        one.hand_over(seat)

    assert ("wat" in differences(*games)) == told


@pytest.mark.issue(41)
@rule("W-SECRET-3", "W-KACTION-1", "W-DECIDE-43", "W-DECIDE-44", "W-EX-20")
def test_a_hidden_keeper_action_is_not_told() -> None:
    """The keeper can pay for one of them, and never for the other."""
    games = HIDDEN_ACTIONS.play()

    hidden = [[one.value.card for one in game.game.hidden_actions] for game in games]
    assert hidden == [["action/light-a-candle"], ["action/call-a-lodger"]]
    assert differences(*games) == {}


@pytest.mark.issue(41)
@rule("W-SECRET-3", "W-SECRET-4", "W-DECIDE-43", "W-DECIDE-44")
def test_a_hidden_action_that_is_used_does_not_tell_the_others_by_its_place() -> None:
    """Where it lay among those that the keeper took is drawn; here alike in both games."""
    games = USED_ACTION.play()

    hidden = [{one.value.card for one in game.game.hidden_actions} for game in games]
    assert [one - hidden[0] for one in hidden] == [set(), {"action/test-drop"}]
    assert differences(*games) == {}


@pytest.mark.issue(41)
@rule("W-SECRET-13", "W-DECIDE-37")
def test_whether_an_answer_names_the_token_under_a_monster_is_not_told() -> None:
    assert differences(*TOKENS.play()) == {}


@pytest.mark.issue(41)
@rule("W-SECRET-1", "W-SECRET-2", "W-PIT-1", "W-DECIDE-11", "W-DECIDE-12")
def test_nobody_is_told_which_pits_lie_on_the_board_and_in_the_supply() -> None:
    games = PITS.play()

    assert faces(games[0]) != faces(games[1])
    assert differences(*games) == {}


@pytest.mark.issue(41)
@rule("W-SECRET-1", "W-PIT-6", "W-PIT-7", "W-DECIDE-10")
def test_nobody_is_told_which_pit_replaces_the_one_into_which_an_ally_fell() -> None:
    games = FALLEN.play()

    assert [faces(one)[0] for one in games] == ["pit/test-deep", "pit/saw-pit"]
    assert differences(*games) == {}


@pytest.mark.issue(41)
@rule("K-DECIDE-97", "W-SECRET-1", "W-SECRET-6")
def test_an_observer_sees_all_once_the_delay_is_over_and_shows_to_nobody() -> None:
    votes, pits = VOTES.both(observed_after=3600).play(), FALLEN.both(observed_after=0).play()

    assert set(differences(*votes)) == {"ann", "ben", "ann again"}
    assert set(differences(*pits)) == {"rea"}
    for name in ("ben", "wat", "kim", "rea"):
        # What is sealed to others hides no breach of the game's laws, and is taken for none.
        assert audit(load(pits[0].exported(name))).has_game_laws


def faces(one: Evening) -> list[str]:
    """Return the pits on the board, in the order in which they were placed."""
    handles = [feature.handle for feature in one.game.features.values()]
    return [one.game.card_of(handle) for handle in handles if handle is not None]


@pytest.mark.issue(41)
@rule("W-SECRET-9", "W-ALLY-7", "W-DECIDE-32")
@pytest.mark.parametrize("is_open", [False, True])
def test_a_tale_that_is_not_told_yet_is_known_to_the_keeper_at_most(is_open: bool) -> None:
    games = (OPEN_TALES if is_open else TALES).play()

    first, second = ([tale.value for tale in one.game.tales[FERRYMAN]] for one in games)
    assert first == second[::-1]
    assert set(differences(*games)) == ({"kim"} if is_open else set())


@pytest.mark.issue(41)
@rule("W-SECRET-10", "W-SECRET-11", "W-DECIDE-50", "W-STORY-1", "W-STORY-2", "W-STORY-3")
@pytest.mark.parametrize(
    ("knowers", "known_to"),
    [
        (Knowers.NOBODY, set()),
        (Knowers.KEEPER, {"kim"}),
        (Knowers.OWNER, {"kim", "ann", "ann again"}),
    ],
)
def test_a_card_of_the_story_is_known_to_whom_the_story_says(
    knowers: Knowers, known_to: set[str]
) -> None:
    games = STORY_CARDS[knowers].play()

    first, second = (
        {card.kind: card.card.value for card in one.game.story_cards.values()} for one in games
    )
    assert {*first} == {*StoryDeck}
    assert all(first[kind] != second[kind] for kind in StoryDeck)
    assert set(differences(*games)) == known_to


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in QUICK else pytest.mark.long) for name in LEAKS]
)
def test_a_planted_leak_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    leak = LEAKS[name]
    leak.plant(monkeypatch)

    for pair in leak.games:
        assert {*leak.kinds} <= set(differences(*pair.play()))
