"""
Laws: a log whose chain and commitments are right is refused if no rules can have written it.

Each test changes one record of a played game, or adds one; the honest game keeps all laws.
"""

import copy
import functools
import itertools
from collections.abc import Callable
from typing import Any

import pytest

from protocol import codec
from protocol.archive import BadArchive, load
from protocol.audit import audit
from protocol.common import events
from protocol.common.laws import LawBroken
from protocol.common.table import Table
from protocol.event import read_own
from protocol.games.cards import laws
from tests.games.cards.simulate import simulate
from tests.verifying.files import File, Line, taken_apart
from tests.verifying.logs import file_of

pytestmark = pytest.mark.issue(42)
rule = pytest.mark.rule
WANTED = frozenset(
    f"cards/{name}"
    for name in ("drew", "eliminated", "revealed", "test_ended", "tokens_revealed", "turn_ended")
)
"""Kinds of record of which the game that is changed has some."""


@functools.cache
def played() -> bytes:
    """Return the whole log of the first game of two, by seeds, that has all that is wanted."""
    for seed in itertools.count():
        room = simulate(seed, 2).play().room
        tags = {read_own(room.room_id, stored).event.tag for stored in room.log}
        if tags >= WANTED:
            return file_of(room)
    raise AssertionError


def apart() -> File:
    """Return a game that can be changed."""
    return taken_apart(played())


def the_first(
    file: File, tag: str, fits: Callable[[Line], bool] = lambda _: True, after: int = 0
) -> int:
    """Return the index of the first fitting record of a kind."""
    return next(
        at for at, line in enumerate(file.lines) if at > after and line.tag == tag and fits(line)
    )


def reason(file: File, at: int) -> str:
    """Return why the laws refuse a changed file; they must do so at a record."""
    # What comes later does not matter.
    del file.lines[at + 2 :]
    broken, table = laws.CardsLaws(), Table()
    for record in load(file.renumbered().committed_anew().sealed()).records:
        try:
            table = broken.follow(table, record)
        except LawBroken as error:
            assert record.sequence == at
            return str(error)
    pytest.fail("no law is broken")


def names(file: File) -> dict[str, str]:
    """Return what the names in added records stand for: people, pieces, cards."""
    people = [line.fields[0] for line in file.lines if line.tag == "cards/joined"]
    active = file.lines[the_first(file, "cards/turn_began")].fields[0]
    return {
        "ACTIVE": active,
        "OTHER": next(who for who in people if who != active),
        "START": file.lines[the_first(file, "cards/walked")].fields[1],
        # Those of the investigators come first, then the first act.
        "OWN": "c1",
        "ACT": f"c{len(people) + 1}",
    }


def filled(known: dict[str, str], value: Any) -> Any:
    """Return a value with names filled in."""
    if isinstance(value, list):
        return [filled(known, one) for one in value]
    if isinstance(value, str):
        for name, meaning in known.items():
            value = value.replace(name, meaning)
    return value


def insert(file: File, at: int, tag: str, *fields: Any) -> int:
    """Add a record of the game after another one; return its index."""
    public = copy.deepcopy(file.lines[at].public)
    public[2:] = [-1, tag, filled(names(file), list(fields)), []]
    file.lines.insert(at + 1, Line(public, []))
    return at + 1


def repeated(file: File, at: int) -> int:
    """Add a record a second time; return its index."""
    file.lines.insert(at + 1, copy.deepcopy(file.lines[at]))
    return at + 1


def test_an_honest_game_keeps_all_laws() -> None:
    report = audit(load(played()))

    assert report.has_game_laws
    assert report.counts.computed.total() > 20


def test_an_audit_applies_the_laws() -> None:
    file = apart()
    at = the_first(file, "cards/tokens_revealed")
    file.lines[at].fields[0] = ["1"]

    with pytest.raises(BadArchive) as caught:
        audit(load(file.renumbered().committed_anew().sealed()))

    assert (caught.value.sequence, caught.value.kind) == (at, "law")


@rule("C-BZONE-1")
@pytest.mark.parametrize(
    "people",
    [
        (("a", "b"), ("c", "d", "e")),
        (("a",), ("a",)),
        (("a",), ()),
    ],
)
def test_other_investigators_than_fit_are_refused(people: tuple[tuple[str, ...], ...]) -> None:
    players = [events.Player(at, "investigator", some) for at, some in enumerate(people)]

    with pytest.raises(LawBroken):
        laws.CardsLaws().check_start(players)


# Chance ------------------------------------------------------------------------------------------


@rule("C-BBAG-3", "C-BTEST-7")
def test_another_token_than_was_picked_is_refused() -> None:
    file = apart()
    at = the_first(file, "cards/tokens_revealed")
    (was,) = file.lines[at].fields[0]
    file.lines[at].fields[0] = ["star" if was != "star" else "1"]

    assert "another token" in reason(file, at)


@rule("C-BBAG-3")
def test_a_token_that_is_picked_and_not_shown_is_refused() -> None:
    """A server could pick until the token suits it."""
    file = apart()
    at = the_first(file, "cards/tokens_revealed")
    del file.lines[at]

    assert "not shown" in reason(file, at)


@rule("C-BBAG-3")
def test_a_token_without_a_pick_is_refused() -> None:
    file = apart()
    at = the_first(file, "cards/step_came")
    bag = file.lines[the_first(file, "cards/bag_filled")].fields[1]

    assert "not picked" in reason(
        file, insert(file, at, "cards/tokens_revealed", bag[:1], False, "")
    )


# Piles -------------------------------------------------------------------------------------------


def deck_before(file: File, at: int, pile: str) -> list[str]:
    """Return the handles of a pile as it was mixed last before a record."""
    mixed = [line for line in file.lines[:at] if line.tag == "shuffled/2"]
    found = [line.fields[4] for line in mixed if line.fields[3] == pile]
    return list(found[-1])


@rule("C-DRAW-1", "C-SECRET-3")
@pytest.mark.parametrize("tag", ["cards/drew", "cards/opened"])
def test_a_card_from_the_middle_of_a_deck_is_refused(tag: str) -> None:
    file = apart()
    pile = "encounter"
    at = the_first(file, tag, lambda line: tag == "cards/drew" or line.fields[0] == pile)
    fields = file.lines[at].fields
    if tag == "cards/drew":
        fields[2] = deck_before(file, at, fields[1])[-1:]
    else:
        fields[1] = deck_before(file, at, pile)[-1]

    assert reason(file, at)


@rule("C-SECRET-1")
def test_another_card_than_lay_there_is_refused() -> None:
    file = apart()
    at = the_first(file, "cards/opened")
    file.lines[at].fields[2] = "card/another"

    assert "not the one that lay there" in reason(file, at)


@rule("C-BZONE-3")
def test_an_encounter_card_that_belongs_to_somebody_is_refused() -> None:
    file = apart()
    at = the_first(file, "cards/opened", lambda line: line.fields[0] == "encounter")
    file.lines[at].fields[4] = names(file)["ACTIVE"]

    assert "another owner" in reason(file, at)


@rule("C-SECRET-1", "C-SECRET-3")
@pytest.mark.parametrize(("pile", "knowers"), [("hand/", []), ("deck/", [0])])
def test_a_pile_that_others_know_is_refused(pile: str, knowers: list[int]) -> None:
    file = apart()
    at = the_first(
        file, "shuffled/2", lambda line: line.fields[3].startswith(pile) and line.fields[4]
    )
    line = file.lines[at]
    knowers = knowers or [1 - line.fields[5][0]]
    line.fields[5] = knowers
    for secret in line.secrets:
        secret[0] = knowers

    assert "others know" in reason(file, at)


@rule("C-DRAW-1")
def test_a_card_from_the_deck_of_another_is_refused() -> None:
    file = apart()
    at = the_first(file, "cards/drew")
    known = names(file)
    (other,) = {known["ACTIVE"], known["OTHER"]} - {file.lines[at].fields[0]}
    file.lines[at].fields[0] = other

    assert reason(file, at)


@rule("C-BZONE-3", "C-BENC-7")
@pytest.mark.parametrize("pile", ["deck/ACTIVE", "deck/OTHER"])
def test_a_card_that_goes_to_the_deck_of_another_is_refused(pile: str) -> None:
    file = apart()
    at = the_first(file, "cards/round_began")

    assert "pile of another" in reason(file, insert(file, at, "cards/gathered", ["ACT"], pile))


@rule("C-SECRET-2")
def test_a_card_that_goes_to_a_deck_unmixed_is_refused() -> None:
    """Everybody would know where it lies."""
    file = apart()
    began = the_first(file, "cards/round_began")
    tag = next(line.tag for line in file.lines if line.tag.startswith("asked"))
    at = the_first(file, tag, after=began) - 1
    insert(file, at, "cards/gathered", ["ACT"], "encounter")

    assert "not mixed" in reason(file, at + 2)


@rule("C-SECRET-26", "C-BSETUP-6")
def test_a_hidden_card_that_changes_its_owner_is_refused() -> None:
    file = apart()
    at = the_first(file, "cards/repiled")
    known = names(file)
    (own,) = {known["ACTIVE"], known["OTHER"]} - {file.lines[at].fields[1].partition("/")[2]}
    file.lines[at].fields[1] = f"hand/{own}"

    assert "owner" in reason(file, at)


# Cards in the open -------------------------------------------------------------------------------


@rule("C-BZONE-4")
@pytest.mark.parametrize(
    ("tag", "fields", "why"),
    [
        ("cards/laid", ["card/flare", ["aside", ""], ""], "from nowhere"),
        ("cards/laid", ["card/flare", ["act", ""], "card/nobody"], "not there"),
        ("cards/laid", ["card/anything", ["act", ""], ""], "two cards"),
        ("cards/moved", [["c99"], ["aside", ""], ""], "nowhere"),
        ("cards/moved", [["OWN", "OWN"], ["aside", ""], ""], "twice at once"),
        ("cards/moved", [["ACT"], ["play", "card/nobody"], ""], "not there"),
        ("cards/moved", [["ACT"], ["on", "c99"], ""], "nowhere"),
        ("cards/exhausted", [["c99"], True], "nowhere"),
        ("cards/joined", ["OTHER", 0, []], "too late"),
        ("cards/engagement", ["c99", ["OTHER"], ["threat", "OTHER"]], "nowhere"),
        ("cards/taken_up", [["ACT"]], "face down"),
    ],
)
def test_a_card_that_is_nowhere_or_goes_where_none_can_is_refused(
    tag: str, fields: list[Any], why: str
) -> None:
    file = apart()
    at = the_first(file, "cards/round_began")
    at = the_first(file, "cards/step_came", after=at)

    assert why in reason(file, insert(file, at, tag, *fields))


@rule("C-SECRET-11", "C-BLOC-2")
def test_another_face_of_a_location_than_was_sealed_is_refused() -> None:
    """Whether the record names another face, or opens the seal of another location."""
    named, swapped = apart(), apart()
    at = the_first(named, "cards/revealed")
    named.lines[at].fields[1] = "card/another"
    place = named.lines[at].fields[2][0]
    other = the_first(swapped, "cards/location_laid", after=place)
    salt, value = swapped.lines[other].openings[0][1]
    swapped.lines[at].fields[1:] = [codec.decode(value, str), [other, 0, salt, value]]

    assert "not the one disclosed" in reason(named, at)
    assert "another secret" in reason(swapped, at)


# Investigators -----------------------------------------------------------------------------------


@rule("C-BELIM-9", "C-BELIM-10")
@pytest.mark.parametrize(
    ("tag", "fields"),
    [
        ("cards/used", ["ACT", "card/hunch", -1, [], False]),
        ("cards/actions_set", [3, [], 0]),
        ("cards/test_began", ["combat", 2, "card/rot", "", ""]),
        ("cards/eliminated", ["resigned"]),
    ],
)
def test_an_eliminated_investigator_who_does_something_is_refused(
    tag: str, fields: list[Any]
) -> None:
    file = apart()
    at = the_first(file, "cards/eliminated")
    who = file.lines[at].fields[0]

    assert "not there" in reason(file, insert(file, at, tag, who, *fields))


# Tokens ------------------------------------------------------------------------------------------


@rule("C-BZONE-17", "C-BLOC-6", "C-BZONE-10")
@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ([["OWN", "resource", -99]], "not there"),
        ([["c99", "resource", 1]], "not in play"),
        ([["START", "clue", -1], ["OWN", "clue", 2]], "nowhere"),
        ([["START", "clue", -1], ["START", "clue", -1], ["START", "clue", -99]], "not there"),
    ],
)
def test_tokens_below_zero_or_from_nowhere_are_refused(changes: list[Any], why: str) -> None:
    """The first location has clues from the start."""
    file = apart()
    at = the_first(file, "cards/round_began")

    if changes[0][1] == "clue":
        at = insert(file, at, "cards/tokens", [["START", "clue", 3]])
    assert why in reason(file, insert(file, at, "cards/tokens", changes))


@rule("C-EX-119", "C-BBAG-9", "C-BBAG-10")
@pytest.mark.parametrize(
    ("tag", "fields", "why"),
    [
        ("cards/sealed", ["ACT", "bless", -1, False], "from nowhere"),
        ("cards/sealed", ["ACT", "star", 0, False], "from nowhere"),
        ("cards/unsealed", ["ACT", ["star"]], "not sealed"),
        ("cards/bag_changed", [[], ["bless"]], "not in the bag"),
        ("cards/bag_changed", [["bless"] * 11, []], "supply"),
        ("cards/token_ignored", [0, False], "not revealed"),
        ("cards/tokens_revealed", [["star"], False, "ACT"], "not sealed"),
    ],
)
def test_chaos_tokens_that_come_from_nowhere_or_are_lost_are_refused(
    tag: str, fields: list[Any], why: str
) -> None:
    file = apart()
    at = the_first(file, "cards/round_began")

    assert why in reason(file, insert(file, at, tag, *fields))


# Tests and course --------------------------------------------------------------------------------


@rule("C-BTEST-2", "C-TEST-5", "C-DEFER-1")
@pytest.mark.parametrize(
    ("tag", "fields", "why"),
    [
        ("cards/test_step", [1, 2, None, None], "out of order"),
        ("cards/test_step", [9, 2, None, None], "out of order"),
        ("cards/test_step", [4, 2, 3, None], "before it is determined"),
        ("cards/test_step", [5, 2, 3, True], "before it is determined"),
        ("cards/tokens_returned", [0], "not revealed"),
        ("cards/round_began", [2], "left open"),
    ],
)
def test_a_test_out_of_order_is_refused(tag: str, fields: list[Any], why: str) -> None:
    file = apart()
    at = the_first(file, "cards/test_step")

    assert why in reason(file, insert(file, at, tag, *fields))


@rule("C-BTEST-2", "C-DEFER-1")
@pytest.mark.parametrize(
    ("tag", "why"), [("cards/test_began", "inside another"), ("cards/test_ended", "no test")]
)
def test_a_second_beginning_or_end_of_a_test_is_refused(tag: str, why: str) -> None:
    file = apart()

    assert why in reason(file, repeated(file, the_first(file, tag)))


@rule("C-TEST-5")
def test_a_result_that_changes_is_refused() -> None:
    file = apart()
    at = the_first(file, "cards/test_step", lambda line: line.fields[3] is not None)
    step, difficulty, value, result = file.lines[at].fields

    changed = insert(file, at, "cards/test_step", step, difficulty, value, not result)
    assert "result that changes" in reason(file, changed)


@rule("C-BROUND-1", "C-BTURN-1", "C-BTURN-6")
@pytest.mark.parametrize(
    ("place", "tag", "fields", "why"),
    [
        ("cards/step_came", "cards/step_came", ["upkeep", 0], "out of order"),
        ("cards/step_came", "cards/step_came", ["investigation", 9], "out of order"),
        ("cards/turn_began", "cards/step_came", ["enemy", 0], "middle of a turn"),
        ("cards/step_came", "cards/round_began", [2], "before the last"),
        ("cards/step_came", "cards/round_began", [3], "out of order"),
        ("cards/turn_ended", "cards/turn_began", ["ACTIVE", []], "second turn"),
        ("cards/turn_began", "cards/turn_began", ["OTHER", []], "out of order"),
        ("cards/turn_began", "cards/turn_ended", ["OTHER"], "nobody's turn"),
        ("cards/step_came", "cards/actions_set", ["OTHER", -1, [], 0], "below zero"),
        ("cards/step_came", "cards/bag_filled", ["standard", ["1"]], "too late"),
        ("cards/step_came", "cards/plan_made", [], "too late"),
    ],
)
def test_rounds_phases_and_turns_out_of_order_are_refused(
    place: str, tag: str, fields: list[Any], why: str
) -> None:
    file = apart()
    at = the_first(file, place)
    at = insert(file, at, tag, *fields)
    if tag == "cards/plan_made":
        made = file.lines[the_first(file, tag)]
        file.lines[at] = copy.deepcopy(made)
        file.lines[at].public[1] = file.lines[at - 1].public[1]

    assert why in reason(file, at)
