"""Hands, looks and preparations: both verifiers accept real games and refuse impossible ones."""

import functools
from collections.abc import Callable
from pathlib import Path

import pytest

from protocol import codec
from protocol.archive import BadArchive, load
from protocol.common.laws import GameLaws, LawBroken
from protocol.common.table import Table
from protocol.validity import judge, judge_log
from tests.kit.tables.playing import Policy, Recording, begin, play
from tests.kit.tables.toy_table import Content
from tests.verifying.files import File, Line, taken_apart
from tests.verifying.logs import file_of, types, verifier

pytestmark = pytest.mark.issue(11)


@functools.cache
def played() -> Recording:
    """Return a whole game with hands, in which the table went back after somebody had looked."""
    recording = begin(3, Content(has_hands=True))
    recording.answer(0, "scry")
    recording.answer(0, "toy/swap")
    recording.propose_back(0, max(recording.table.checkpoints))
    for seat in (1, 2):
        recording.consent(seat)
    return play(recording, Policy(2))


def verdicts(file: File) -> tuple[int | None, int | None]:
    """Return where our own verifier and the independent one refuse the log."""
    data, module = file.sealed(), verifier()
    ours = theirs = None
    try:
        judge_log(load(data))
    except BadArchive as wrong:
        ours = wrong.sequence
    try:
        module.verify(data, types())
    except module.Wrong as wrong:
        theirs = wrong.args[1]
    return ours, theirs


@pytest.mark.parametrize("seat", [None, 0, 1])
def test_both_take_a_game_with_hands(seat: int | None) -> None:
    data = file_of(played().room, seat)

    judge(load(data))
    assert verdicts(taken_apart(data)) == (None, None)


@pytest.mark.parametrize("tag", ["shuffled_some", "arranged"])
def test_a_handle_that_there_was_before_is_refused_by_both(tag: str) -> None:
    file = taken_apart(file_of(played().room))
    at, first = file.of(tag)[0], file.of("shuffled")[0]
    line = file.lines[at]
    place = 4 if tag == "shuffled_some" else 2
    line.fields[place][0] = file.lines[first].fields[4][0]

    assert verdicts(file) == (at, at)


def test_a_part_of_a_pile_that_chance_did_not_mix_so_is_refused_by_both() -> None:
    file = taken_apart(file_of(played().room))
    at = file.of("shuffled_some")[0]
    change_secret(file.lines[at], lambda cards: tuple(reversed(cards)))

    assert verdicts(file.committed_anew()) == (at, at)


def change_secret(line: Line, change: Callable[[tuple[str, ...]], tuple[str, ...]]) -> None:
    """Change the cards that a record names in secret."""
    [[_slot, opening]] = line.openings
    opening[1] = codec.encode(change(codec.decode(opening[1], tuple[str, ...])), tuple[str, ...])


Forge = Callable[[Line], None]


def _other_places(line: Line) -> None:
    line.fields[-1 if line.tag == "shuffled_some" else 1][-1] = 99


def _falling_places(line: Line) -> None:
    line.fields[-1 if line.tag == "shuffled_some" else 1].reverse()


def _other_cards(line: Line) -> None:
    change_secret(line, lambda cards: (*cards[:-1], "card/forged/99"))


def _fewer_cards(line: Line) -> None:
    change_secret(line, lambda cards: cards[:-1])


@pytest.mark.parametrize("tag", ["shuffled_some", "looked_at", "arranged"])
@pytest.mark.parametrize("forge", [_other_places, _falling_places, _other_cards, _fewer_cards])
def test_cards_that_did_not_lie_there_break_the_laws(tag: str, forge: Forge) -> None:
    file = taken_apart(file_of(played().room))
    at = file.of(tag)[0]
    forge(file.lines[at])
    laws, table = GameLaws(), Table()
    *before, wrong = load(file.committed_anew().sealed()).records[: at + 1]
    for record in before:
        table = laws.follow(table, record)

    with pytest.raises(LawBroken):
        laws.follow(table, wrong)


def test_the_laws_hold_of_a_game_with_hands() -> None:
    """If they did not, the forgeries above could be refused for another reason."""
    laws, table = GameLaws(), Table()

    for record in load(file_of(played().room)).records:
        table = laws.follow(table, record)

    assert table == played().table


GOLDEN = Path(__file__).parents[1] / "golden" / "hands" / "toy.manse"
"""A whole game with hands and preparations, written by the first server that had them."""


def test_a_golden_game_with_hands_and_preparations_is_read_and_audited() -> None:
    data = GOLDEN.read_bytes()
    laws, table = GameLaws(), Table()
    for record in load(data).records:
        table = laws.follow(table, record)

    judge(load(data))
    assert verdicts(taken_apart(data)) == (None, None)
    tags = {line.tag for line in taken_apart(data).lines}
    assert tags >= {"prepared", "brought_along", "campaign_continued/2", "chat_set"}
    assert tags >= {"shuffled_some", "looked_at", "arranged"}
    assert table.room.legacy is not None
    assert [said.prepared.value.content for said in table.room.seats.values() if said.prepared] == [
        b"fog",
        b"rain",
        b"sun",
    ]


def test_the_game_has_each_of_these_kinds() -> None:
    """The tests above prove nothing of a kind that does not occur."""
    tags = {line.tag for line in taken_apart(file_of(played().room)).lines}

    assert tags >= {"shuffled_some", "looked_at", "arranged"}
