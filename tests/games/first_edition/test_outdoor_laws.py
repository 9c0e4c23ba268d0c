"""
Laws of the outdoors: what no rules can have written is refused, and no honest game is.

Each test puts another record in the place of one of a random game of the outing. What only rules
and content can tell is found by playing the log again.
"""

from typing import Any

import attrs
import pytest

from protocol.archive import load
from protocol.audit import audit
from protocol.common import events
from protocol.common.laws import LawBroken
from protocol.event import Event
from protocol.games.first_edition import events as fe
from protocol.games.first_edition.words import INVESTIGATOR, KEEPER, FeatureKind
from server.authoring.driver import PackLibrary, SeededEntropy
from server.kernel.replaying import play_again
from tests.games.first_edition.outing_games import Moment, file_for, moment
from tests.games.first_edition.outing_pack import BY_THE_LAKE, TURNED_ROUND, outing

pytestmark = pytest.mark.issue(41)
rule = pytest.mark.rule

LAKE, LED, VOTED = (BY_THE_LAKE, 0, 2), (TURNED_ROUND, 0, 2), (TURNED_ROUND, 2, 5)
TALES = (BY_THE_LAKE, 2, 5)
"""A game in which somebody is told two tales of one ally."""
TWO_SPELLS = (BY_THE_LAKE, 4, 3)
"""A game in which two copies of one spell are discarded, and which ends in a pit."""


def is_refused(at: Moment, *forged: Event) -> bool:
    """Return whether laws refuse the last of these events; what stands there honestly is none."""
    assert at.is_lawful(*forged[:-1])
    with pytest.raises(LawBroken):
        at.is_lawful(forged[-1])
    return True


def changed(at: Moment, /, **fields: Any) -> Event:
    """Return the event of a moment with other fields; a sealed one is given by its value."""
    event: Any = at.record.event
    for name, value in fields.items():
        was = getattr(event, name)
        new = was.opened(value) if hasattr(was, "opened") else value
        event = attrs.evolve(event, **{name: new})
    return event  # type: ignore[no-any-return]


# Honest games


@pytest.mark.parametrize("log", [LAKE, TALES, TWO_SPELLS, LED, VOTED])
def test_an_honest_game_keeps_all_laws_and_is_what_the_rules_write(
    log: tuple[str, int, int],
) -> None:
    archive = load(file_for(*log))

    assert audit(archive).has_game_laws
    assert play_again(archive, PackLibrary(outing()), SeededEntropy(1)) is None


@pytest.mark.parametrize("log", [TALES, VOTED])
@pytest.mark.parametrize("seat", [0, 4])
def test_the_file_of_a_seat_keeps_all_laws(log: tuple[str, int, int], seat: int) -> None:
    """The first seat is an investigator, the last one the keeper."""
    assert audit(load(file_for(*log, seat))).has_game_laws


# Pits


@rule("W-PIT-5", "W-SECRET-1", "W-DECIDE-11")
def test_a_pit_with_another_face_than_was_drawn_is_refused() -> None:
    at = moment(LAKE, fe.PitTriggered)
    other = next(one for one in outing().pits if one != changed(at).card)  # type: ignore[attr-defined]

    assert is_refused(at, changed(at, card=other))


@rule("W-PIT-6", "W-PIT-8")
def test_a_pit_that_goes_back_before_it_is_replaced_is_refused() -> None:
    """It could be drawn in its own place."""
    fell = moment(LAKE, fe.PitTriggered, lambda event, _: event.is_renewed)
    at = moment(LAKE, fe.PitPlaced, lambda _, game: _lies_open(fell, game))

    assert is_refused(at, fe.PitReturned(fell.record.event.feature))  # type: ignore[attr-defined]


def _lies_open(fell: Moment, game: Any) -> bool:
    """Return whether a figure that fell into a pit is trapped, and its pit is there."""
    event: Any = fell.record.event
    return event.feature in game.features and {*event.figures} <= {*game.trapped}


@rule("W-PIT-7")
def test_a_pit_that_was_turned_up_and_stays_is_refused() -> None:
    at = moment(LAKE, fe.PitReturned)

    assert is_refused(at, events.CheckpointReached())


@rule("W-PIT-5", "W-PIT-7")
def test_a_pit_that_is_triggered_twice_is_refused() -> None:
    fell = moment(LAKE, fe.PitTriggered)
    at = moment(LAKE, fe.PitReturned)

    assert is_refused(at, fell.record.event)


@rule("W-PIT-14")
def test_a_pit_where_one_lies_is_refused() -> None:
    def lies(event: Any, game: Any) -> bool:
        return any(one.kind is FeatureKind.PIT for one in game.features.values())

    at = moment((BY_THE_LAKE, 1, 3), fe.PitPlaced, lies)
    (there, *_) = [one for one in at.game.features.values() if one.kind is FeatureKind.PIT]

    assert is_refused(at, changed(at, at=there.at))


@rule("W-PIT-10", "W-SECRET-2")
def test_a_pit_that_did_not_lie_on_top_of_the_supply_is_refused() -> None:
    at = moment(LAKE, fe.PitPlaced)

    assert is_refused(at, changed(at, handle=at.game.piles["supply/pits"][1]))


# Allies and cards of the story


@rule("W-DECIDE-32", "W-SECRET-9")
def test_a_tale_out_of_order_or_told_twice_is_refused() -> None:
    first = moment(TALES, fe.TaleTold)
    second = moment(TALES, fe.TaleTold, lambda event, _: event.card == "tale/test-song")
    told: Any = first.record.event
    assert told.ally == second.record.event.ally  # type: ignore[attr-defined]

    assert is_refused(first, second.record.event)
    assert is_refused(second, told)
    assert is_refused(first, changed(first, card=second.record.event.card))  # type: ignore[attr-defined]


@rule("W-SECRET-10", "W-SECRET-11")
def test_a_card_of_the_story_that_is_sealed_other_than_it_lies_is_refused() -> None:
    at = moment(LAKE, fe.StoryCardDealt)

    assert is_refused(at, changed(at, card="mania/test-doors"))


@rule("W-SECRET-10", "W-SECRET-11")
def test_a_card_of_the_story_that_others_know_is_refused() -> None:
    at = moment(VOTED, fe.StoryCardDealt)

    assert is_refused(at, changed(at, knowers=(0, 4)))


@rule("W-DECIDE-50")
def test_a_card_of_the_story_that_is_turned_up_other_than_it_lies_or_twice_is_refused() -> None:
    at = moment(LAKE, fe.StoryCardShown)
    after = moment(LAKE, fe.StoryCardGone)

    assert is_refused(at, changed(at, card="mania/test-doors"))
    assert is_refused(at, changed(at, number=99))
    assert is_refused(after, at.record.event)


@rule("W-DECIDE-20")
def test_an_ally_that_acts_twice_in_a_phase_is_refused() -> None:
    at = moment(LAKE, fe.DealtWith, lambda event, _: event.what.startswith("ally/"))
    again = moment(LAKE, events.Asked, lambda _, game: _has_acted(game, at))
    over = moment(LAKE, fe.KeeperStepBegan, lambda _, game: _has_acted(game, at))

    assert is_refused(again, at.record.event)
    assert is_refused(over, changed(over, step=at.game.step))


def _has_acted(game: Any, at: Moment) -> bool:
    event: Any = at.record.event
    return game is not None and event.what in game.done


# The vote, and hidden actions


@rule("W-DECIDE-47", "W-SECRET-6", "W-SECRET-14")
@pytest.mark.parametrize("log", [LED, VOTED])
@pytest.mark.parametrize("forged", ["bury", "burn", "late"])
def test_a_result_of_the_vote_that_the_answers_do_not_give_is_refused(
    log: tuple[str, int, int], forged: str
) -> None:
    """One seat may lead two investigators, each with an answer."""
    at = moment(log, fe.VoteCounted)
    event: Any = at.record.event

    if event.answers.value == {"aim": forged}:
        assert at.is_lawful(changed(at))
    else:
        assert is_refused(at, changed(at, answers={"aim": forged}))


@rule("K-SECRET-5", "W-DECIDE-46")
def test_answers_of_the_keeper_that_the_keeper_did_not_give_are_refused() -> None:
    at = moment(VOTED, fe.AnswersGiven)
    event: Any = at.record.event
    (other,) = {"early", "late"} - {event.answers.value["hour"]}

    assert is_refused(at, changed(at, answers={"hour": other}))


@rule("W-DECIDE-44", "W-SECRET-3")
def test_a_hidden_action_that_was_not_taken_is_refused() -> None:
    at = moment(LAKE, fe.ActionLaid)
    taken = {one.value.card for one in moment(LAKE, fe.KeeperEquipped).game.hidden_actions}
    other = next(one for one in outing().scenarios[BY_THE_LAKE].hidden_actions if one not in taken)

    event: Any = at.record.event
    assert is_refused(at, changed(at, action=attrs.evolve(event.action.value, card=other)))


@rule("W-KACTION-1", "W-DECIDE-43")
def test_a_keeper_action_that_does_not_lie_open_is_refused() -> None:
    at = moment(LAKE, fe.ActionShown)
    event: Any = at.record.event

    with pytest.raises(StopIteration):
        at.is_lawful(fe.KeeperActed(event.action.card))
    assert is_refused(at, changed(at, action=attrs.evolve(event.action, card="action/test-dig")))


@rule("W-SECRET-3", "W-SECRET-6", "W-SECRET-9", "W-STORY-5")
@pytest.mark.parametrize(
    ("log", "kind", "role"),
    [
        (VOTED, fe.VoteCounted, KEEPER),
        (VOTED, fe.VoteCounted, ""),
        (VOTED, fe.AnswersGiven, INVESTIGATOR),
        (VOTED, fe.ActionLaid, INVESTIGATOR),
        (LAKE, fe.ObjectiveSet, INVESTIGATOR),
        (LAKE, fe.TaleLaid, INVESTIGATOR),
    ],
)
def test_a_secret_that_is_sealed_to_the_other_side_is_refused(
    log: tuple[str, int, int], kind: type[Event], role: str
) -> None:
    """Whoever is named there was sent it."""
    at = moment(log, kind)
    # The kernel seals to whom the record names, so that the seats fit the role.
    seats = at.table.game.seats_of(at.table.room, role) if role and at.table.game else ()
    event: Any = changed(at, role=role)
    secret = next(one for one in ("answers", "objective", "action", "card") if hasattr(event, one))
    sealed = attrs.evolve(getattr(event, secret), audience=seats)

    assert is_refused(at, attrs.evolve(event, **{secret: sealed}))


# Curses


@rule("W-CURSE-5", "W-DECIDE-35")
def test_a_second_curse_in_one_test_is_refused() -> None:
    used = moment(LAKE, fe.CurseUsed)
    at = moment(LAKE, events.Rolled, lambda _, game: game.test is not None and game.test.is_spoilt)
    event: Any = used.record.event
    # Whoever has none left has the more reason to be refused.
    has = attrs.evolve(at.game.character(event.who), curses=2)
    people = {**at.game.investigators, event.who: has}
    game = attrs.evolve(at.game, investigators=people)

    cursed = attrs.evolve(at, table=attrs.evolve(at.table, game=game))
    assert is_refused(cursed, event)
