"""
Laws: a log whose chain and commitments are right is refused if no rules can have written it.

Each test changes one record of a played game, or what it opens; the honest game keeps all laws.
"""

import functools
from collections.abc import Callable
from typing import Any

import attrs
import pytest

from protocol import codec
from protocol.archive import BadArchive, load
from protocol.audit import audit
from protocol.common import events
from protocol.common.laws import LawBroken
from protocol.games.first_edition import laws
from tests.games.every import an_evening
from tests.verifying.files import File, Line, taken_apart

pytestmark = pytest.mark.issue(40)


@functools.cache
def played() -> bytes:
    """Return the whole log of a game whose players answer at random."""
    made = an_evening("first_edition")
    return made.export(made.ann)


def the_first(file: File, tag: str, fits: Callable[[Line], bool] = lambda _: True) -> int:
    """Return the index of the first fitting record of a kind."""
    return next(at for at, line in enumerate(file.lines) if line.tag == tag and fits(line))


def is_refused(file: File, at: int) -> bool:
    """Return whether the audit refuses a changed file at a record, by the laws of the game."""
    with pytest.raises(BadArchive) as caught:
        audit(load(file.renumbered().committed_anew().sealed()))
    return (caught.value.sequence, caught.value.kind) == (at, "law")


def test_an_honest_game_keeps_all_laws() -> None:
    report = audit(load(played()))

    assert report.has_game_laws
    assert report.counts.computed.total() > 20


def opened_of(line: Line) -> Any:
    """Return the place and the value of the secret that a record opens, as a list to change."""
    return next(field for field in line.fields if isinstance(field, list) and len(field) == 4)


@pytest.mark.rule("K-GOAL-3", "K-SECRET-6")
def test_another_objective_than_the_sealed_one_is_refused() -> None:
    """The name is changed in the record, not in what was sealed."""
    file = taken_apart(played())
    at = the_first(file, "fe/objective_revealed")
    was = file.lines[at].fields[1]
    (other,) = {"objective/notice-to-quit", "objective/sitting-up"} - {was}
    file.lines[at].fields[1] = other

    assert is_refused(file, at)


@pytest.mark.rule("K-SECRET-6")
def test_the_secret_of_another_record_is_no_objective() -> None:
    """What is opened is a sealed secret of the log, but that of a lock or a card."""
    file = taken_apart(played())
    at, other = the_first(file, "fe/objective_revealed"), the_first(file, "fe/event_laid")
    place, salt_and_value = other, file.lines[other].openings[0][1]
    opened_of(file.lines[at])[:] = [place, 0, *salt_and_value]
    file.lines[at].fields[1] = codec.decode(salt_and_value[1], str)

    assert is_refused(file, at)


@pytest.mark.rule("K-SECRET-7", "K-DECIDE-35")
def test_a_card_that_does_not_lie_on_top_is_refused() -> None:
    file = taken_apart(played())
    at = the_first(file, "fe/card_turned_up")
    file.lines[at].fields[2] += 1

    assert is_refused(file, at)


@pytest.mark.rule("K-SECRET-7")
def test_a_card_laid_after_the_setup_is_refused() -> None:
    """The keeper's cards lie where they lie from the setup on."""
    file = taken_apart(played())
    began = the_first(file, "fe/round_began")
    laid = file.lines[the_first(file, "fe/card_laid")]
    file.lines[began + 1 : began + 1] = [Line([*laid.public], laid.openings)]

    with pytest.raises(BadArchive):
        audit(load(file.renumbered().committed_anew().sealed()))


@pytest.mark.rule("K-SECRET-7", "K-SECRET-8", "K-SECRET-19")
@pytest.mark.parametrize("tag", ["fe/card_turned_up", "fe/lock_shown", "fe/event_resolved"])
def test_another_card_than_the_sealed_one_is_refused(tag: str) -> None:
    """Whether the record names another card, or opens the seal of another one."""
    named, swapped = taken_apart(played()), taken_apart(played())
    at = the_first(named, tag)
    named.lines[at].fields[-1] = "objective/sitting-up"
    sealed_in = {"fe/card_turned_up": "fe/card_laid", "fe/lock_shown": "fe/lock_laid"}
    place = opened_of(swapped.lines[at])[0]
    other = next(
        other
        for other, line in enumerate(swapped.lines)
        if line.tag in {sealed_in.get(tag, "fe/event_laid"), "fe/objective_set"} and other != place
    )
    salt_and_value = swapped.lines[other].openings[0][1]
    opened_of(swapped.lines[at])[:] = [other, 0, *salt_and_value]
    swapped.lines[at].fields[-1] = codec.decode(salt_and_value[1], str)

    assert is_refused(named, at)
    assert is_refused(swapped, at)


@pytest.mark.rule("K-SECRET-6", "K-SECRET-7", "K-DECIDE-5")
@pytest.mark.parametrize("tag", ["fe/objective_set", "fe/card_laid", "fe/lock_laid"])
def test_a_sealed_secret_that_was_moved_to_another_record_is_refused(tag: str) -> None:
    """Two records of one kind change places: what was opened later is no longer where it was."""
    file = taken_apart(played())
    opened = [opened_of(line)[0] for line in file.lines if line.tag in OPENING]
    at = next(at for at in opened if file.lines[at].tag == tag)
    file.lines[at - 1 : at + 1] = [file.lines[at], file.lines[at - 1]]

    with pytest.raises(BadArchive):
        audit(load(file.renumbered().committed_anew().sealed()))


OPENING = {"fe/objective_revealed", "fe/card_turned_up", "fe/lock_shown"}
"""Tags of records that open a secret of the setup."""


@pytest.mark.rule("K-TEST-1", "K-TEST-2")
@pytest.mark.parametrize(("tag", "field"), [("fe/test_rolled", 1), ("fe/test_ended", 1)])
def test_another_roll_or_result_than_was_rolled_is_refused(tag: str, field: int) -> None:
    file = taken_apart(played())
    at = the_first(file, tag)
    value = file.lines[at].fields[field]
    file.lines[at].fields[field] = not value if isinstance(value, bool) else value % 10 + 1

    assert is_refused(file, at)


@pytest.mark.rule("K-TEST-1")
def test_a_die_that_is_not_shown_is_refused() -> None:
    file = taken_apart(played())
    at = the_first(file, "fe/test_rolled")
    del file.lines[at]

    with pytest.raises(BadArchive):
        audit(load(file.renumbered().committed_anew().sealed()))


@pytest.mark.rule("K-MYTHOS-3")
def test_a_second_mythos_card_in_one_turn_is_refused() -> None:
    file = taken_apart(played())
    at = the_first(file, "fe/mythos_played")
    file.lines[at + 1 : at + 1] = [Line([*file.lines[at].public], [])]

    with pytest.raises(BadArchive):
        audit(load(file.renumbered().committed_anew().sealed()))


@pytest.mark.rule("K-SECRET-1", "K-SECRET-2")
def test_a_hand_that_others_know_is_refused() -> None:
    file = taken_apart(played())
    at = the_first(file, "shuffled/2", lambda line: line.fields[3] == "deck/mythos")
    file.lines[at].fields[5] = [0]

    with pytest.raises(BadArchive):
        audit(load(file.renumbered().committed_anew().sealed()))


@pytest.mark.rule("K-GOAL-1", "K-DECIDE-1", "K-DECIDE-2")
@pytest.mark.parametrize(
    "roles",
    [
        ("investigator", "investigator"),
        ("keeper", "keeper"),
        ("keeper", "investigator", "animal"),
    ],
)
def test_a_game_without_one_keeper_against_investigators_is_refused(roles: tuple[str, ...]) -> None:
    players = [
        events.Player(seat, role, () if role == "keeper" else (f"investigator/{seat}",))
        for seat, role in enumerate(roles)
    ]

    with pytest.raises(LawBroken):
        laws.FirstEditionLaws().check_start(players)


def test_an_investigators_seat_plays_one_beside_another_seat() -> None:
    keeper = events.Player(0, "keeper", ())
    both = events.Player(1, "investigator", ("investigator/a", "investigator/b"))
    other = events.Player(2, "investigator", ("investigator/c",))

    laws.FirstEditionLaws().check_start([keeper, attrs.evolve(both, characters=("i/a",)), other])
    with pytest.raises(LawBroken):
        laws.FirstEditionLaws().check_start([keeper, both, other])


@pytest.mark.rule("K-DECIDE-33", "K-TEST-2")
def test_a_test_that_no_card_fixed_and_no_die_decided_is_refused() -> None:
    file = taken_apart(played())
    at = the_first(file, "fe/test_rolled")
    del file.lines[at - 1 : at + 1]

    with pytest.raises(BadArchive):
        audit(load(file.renumbered().committed_anew().sealed()))
