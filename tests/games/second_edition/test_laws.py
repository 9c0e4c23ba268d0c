"""Laws: a game with valid chance and chain is refused if the rules cannot have produced it.

Each test forges one record of a played game, and renews commitments and signatures. The shared
checks still pass, and the audit refuses the forged record.
"""

import functools
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from protocol import codec
from protocol.archive import BadArchive, load
from protocol.audit import audit
from protocol.common import events
from protocol.common.laws import LawBroken, laws_of
from protocol.common.table import Table
from protocol.games.second_edition import laws
from protocol.games.second_edition.table import Face
from protocol.validity import judge
from server.rulekit.draws import SECRET
from tests.games.second_edition.random_games import play, scenario_of
from tests.verifying.files import File, Line, listed, taken_apart, tupled
from tests.verifying.logs import file_of

MOST_GAMES = 80
GAMES = Path(__file__).resolve().parents[3] / "server" / "games"
RULES = GAMES / "second_edition" / "rules"

pytestmark = pytest.mark.issue(10)


@functools.cache
def played(seed: int) -> bytes:
    """Return the whole log of a game of the test house. It is cached."""
    return file_of(play(scenario_of(seed), seed).game.room)


Find = Callable[[File], int | None]
"""Function that finds a record in a game."""


def a_game_with(find: Find, *, first: int = 0) -> tuple[File, int]:
    """Return a game in which `find` finds a record, and the index of that record.

    Args:
        first: seed to try first; for rare events, a seed whose game has one.
    """
    for seed in (*range(first, MOST_GAMES), *range(first)):
        file = taken_apart(played(seed))
        at = find(file)
        if at is not None:
            return file, at
    raise LookupError(f"none of {MOST_GAMES} games has it")


def the_first(
    tag: str, fits: Callable[[Line], bool] = lambda _: True
) -> Callable[[File], int | None]:
    """Return a function that finds the first fitting record of a kind."""
    return lambda file: next(
        (at for at, line in enumerate(file.lines) if line.tag == tag and fits(line)), None
    )


def fault(file: File) -> tuple[int | None, str]:
    """Return the sequence and the kind of fault at which the audit alone refuses a file."""
    found = load(file.renumbered().committed_anew().sealed())
    judge(found)
    with pytest.raises(BadArchive) as caught:
        audit(found)
    return caught.value.sequence, caught.value.kind


def order_of(line: Line) -> list[str]:
    """Return the public order of a shuffle."""
    return list(listed(codec.unpack(line.openings[0][1][1])))


def put_order(line: Line, order: list[str]) -> None:
    """Replace the order of a shuffle, with as many handles."""
    line.openings[0][1][1] = codec.pack(tupled(order))
    line.fields[4] = [f"{number:016x}" for number in range(len(order))]


def _is_reshuffle(line: Line) -> bool:
    return bool(line.fields[0] == "play" and line.fields[3] == "deck/damage")


def _the_last_reshuffle(file: File) -> int | None:
    """Return the index of the last reshuffle.

    Without that record, the numbers of the draws still have no gap.
    """
    found = [
        at for at, line in enumerate(file.lines) if line.tag == "shuffled/2" and _is_reshuffle(line)
    ]
    return found[-1] if found else None


def _is_missed(file: File, at: int) -> bool:
    """True if a Damage card is taken between this shuffle of its deck and the next."""
    for line in file.lines[at + 1 :]:
        if line.tag == "shuffled/2" and line.fields[3] == "deck/damage":
            return False
        if line.tag == "se/harm_taken" and line.fields[1] == "damage":
            return True
    return False


def test_games_of_the_house_keep_all_laws() -> None:
    """The audit refuses no honest game."""
    for seed in range(2):
        report = audit(load(played(seed)))

        assert report.has_game_laws
        assert report.counts.computed.total() > 0


def test_a_role_that_the_game_has_not_is_refused() -> None:
    file, at = a_game_with(the_first("game_started/3"))
    for player in file.lines[at].fields[0]:
        player[1] = "keeper"

    assert fault(file) == (at, "law")


@pytest.mark.parametrize("counts", [(1,), (3,), (0, 1), (1, 2)])
def test_a_seat_that_plays_more_or_fewer_investigators_is_refused(counts: tuple[int, ...]) -> None:
    """A seat has two investigators if it is alone, else one."""
    played_by = [
        events.Player(seat, "investigator", tuple(f"i{n}" for n in range(count)))
        for seat, count in enumerate(counts)
    ]

    with pytest.raises(LawBroken):
        laws.SecondEditionLaws().check_start(played_by)


def test_a_reshuffle_to_equal_cards_is_refused() -> None:
    file, at = a_game_with(the_first("shuffled/2", _is_reshuffle))
    order = order_of(file.lines[at])
    file.lines[at].openings[0][1][1] = codec.pack(tuple(order[:1] * len(order)))

    assert fault(file) == (at, "law")


@pytest.mark.parametrize("count", [1, 3])
def test_a_reshuffle_that_loses_cards_is_refused(count: int) -> None:
    file, at = a_game_with(the_first("shuffled/2", _is_reshuffle))
    put_order(file.lines[at], order_of(file.lines[at])[:1] * count)

    assert fault(file) == (at, "law")


def test_a_deck_that_comes_from_nowhere_is_refused() -> None:
    """Decks are laid out before the supply."""
    file, at = a_game_with(_the_last_reshuffle)
    line = file.lines[at]
    line.fields[1:4] = [0, "shuffle deck/another", "deck/another"]
    put_order(line, order_of(line)[:1])

    assert fault(file) == (at, "law")


def _drawn_from(file: File, at: int) -> Line:
    """Return the last shuffle of the deck from which a Damage or Horror card was drawn."""
    pile = f"deck/{file.lines[at].fields[1]}"
    shuffles = [line for line in file.lines[:at] if line.tag == "shuffled/2"]
    return [line for line in shuffles if line.fields[3] == pile][-1]


@pytest.mark.parametrize("place", [1, -1])
def test_a_card_from_the_middle_is_refused(place: int) -> None:
    """The card fits its handle, but that handle was not on top."""
    file, at = a_game_with(the_first("se/harm_taken", lambda line: line.fields[3] is not None))
    mixed = _drawn_from(file, at)
    file.lines[at].fields[2:4] = [mixed.fields[4][place], order_of(mixed)[place]]

    assert fault(file) == (at, "law")


def test_a_card_that_is_another_than_lay_there_is_refused() -> None:
    """Each handle stands for one card of the shuffled order."""
    file, at = a_game_with(the_first("se/harm_taken", lambda line: line.fields[3] is not None))
    other = next(
        card for card in order_of(_drawn_from(file, at)) if card != file.lines[at].fields[3]
    )
    file.lines[at].fields[3] = other

    assert fault(file) == (at, "law")


def _is_roll_of(purpose: str) -> Callable[[Line], bool]:
    return lambda line: line.fields[2] == purpose and len(line.fields[4]) > 1


def test_fewer_dice_than_the_pool_are_refused() -> None:
    """The dice rolled are the first of those that the seed gives."""
    file, at = a_game_with(the_first("rolled/2", _is_roll_of("test")))
    file.lines[at].fields[4].pop()
    file.lines[at + 1].fields[0].pop()

    assert fault(file) == (at + 1, "law")


def test_blank_dice_are_refused() -> None:
    """The dice shown must be the dice rolled."""
    file, at = a_game_with(the_first("rolled/2", _is_roll_of("test")))
    shown = file.lines[at + 1].fields[0]
    shown[:] = [Face.BLANK.value] * len(shown)
    if all(face > 4 for face in file.lines[at].fields[4]):
        shown[0] = Face.SUCCESS.value

    assert fault(file) == (at + 1, "law")


def test_a_roll_that_is_not_shown_is_refused() -> None:
    """Otherwise a server could roll until it likes the result."""
    file, at = a_game_with(the_first("rolled/2", _is_roll_of("test")))
    file.lines[at + 1].public[3:5] = ["se/attempt_ended", []]

    assert fault(file) == (at + 1, "law")


def _is_pick(line: Line) -> bool:
    return bool(line.fields[0] == "play" and line.fields[1] == 0 and line.fields[2] != "lot")


@pytest.mark.parametrize(("place", "value"), [(0, "deal"), (2, "whatever suits")])
def test_a_pick_of_another_stream_or_purpose_is_refused(place: int, value: str) -> None:
    """Otherwise a server could try purposes until the result suits it."""
    file, at = a_game_with(the_first("picked/2", _is_pick))
    file.lines[at].fields[place] = value

    assert _fault_of_laws(file) == (at, "law")


def test_a_deal_of_another_purpose_is_refused() -> None:
    """Otherwise a server could make unneeded deals as often as it likes."""
    file, at = a_game_with(the_first("dealt"))
    file.lines[at].fields[1] = "whatever suits"

    assert _fault_of_laws(file) == (at, "law")


def test_a_tiebreak_that_settles_no_question_is_refused() -> None:
    """A tiebreak draws the seat that then answers, and serves nothing else."""
    file, at = a_game_with(the_first("picked/2", _is_pick))
    file.lines[at].fields[2] = "lot"

    assert _fault_of_laws(file) == (at, "law")


def test_the_laws_know_every_purpose_that_something_is_dealt_for() -> None:
    """A rule with a new purpose would make its games invalid."""
    deals = [
        line.fields[1]
        for seed in range(0, 20, 4)
        for line in taken_apart(played(seed)).lines
        if line.tag == "dealt"
    ]

    assert "mythos event" in deals
    assert laws._DEALT_FOR.fullmatch(SECRET)
    assert [purpose for purpose in deals if not laws._DEALT_FOR.fullmatch(purpose)] == []


@pytest.mark.parametrize("tag", ["dealt", "shuffled/2"])
def test_a_draw_that_somebody_is_told_is_refused(tag: str) -> None:
    """A hidden draw is told to nobody, in particular not to a friend of the server."""
    file, at = a_game_with(the_first(tag))
    line = file.lines[at]
    line.fields[-1] = line.secrets[0][0] = [0]

    assert _fault_of_laws(file) == (at, "law")


def test_a_draw_of_the_setup_in_the_game_is_refused() -> None:
    """The setup is over once the supply is laid out."""
    file, at = a_game_with(the_first("shuffled/2", _is_reshuffle))
    file.lines[at].fields[0] = "setup"

    assert _fault_of_laws(file) == (at, "law")


def test_the_laws_know_every_purpose_that_the_rules_pick_for() -> None:
    """A rule with a new purpose would make its games invalid."""
    named = re.compile(r"""(?:play\.pick\(|draw_entry\(\s*play,\s*)f?"([^"]+)\"""")
    source = "".join(path.read_text("utf-8") for path in RULES.rglob("*.py"))
    found = set(named.findall(source)) - {"puzzle {lock.id}"}

    assert "horror check" in found
    known = {purpose.replace("damage", "{harm.value}") for purpose in laws._PICKED_FOR}
    assert found <= known


def test_a_test_without_its_dice_is_refused() -> None:
    """Otherwise a server could drop the rolls that it does not like."""
    file, at = a_game_with(_the_last_test)
    end = next(
        place
        for place, line in enumerate(file.lines)
        if place > at and line.tag == "se/test_finished"
    )
    told = file.lines[end].fields
    told[1] = 0
    told[2] = None if told[2] is None else False
    of_dice = ("rolled/2", "se/dice_shown", "se/dice_converted")
    dice = [place for place in range(at, end) if file.lines[place].tag in of_dice]
    for place in reversed(dice):
        _take_out(file, place)

    assert fault(file) == (end - len(dice), "law")


def _the_last_test(file: File) -> int | None:
    """Return the index of the last test of a game, None if one of its dice is rerolled.

    Also None if the game goes back later, since that would name a record by its sequence.
    """
    places = [at for at, line in enumerate(file.lines) if line.tag == "se/test_declared"]
    if not places or any(line.tag == "taken_back" for line in file.lines[places[-1] :]):
        return None
    rolls = [line.fields[2] for line in file.lines[places[-1] :] if line.tag == "rolled/2"]
    return None if set(rolls) - {"test"} else places[-1]


def _take_out(file: File, at: int) -> None:
    """Delete a record, and renumber the disclosures that refer to later ones."""
    del file.lines[at]
    for line in file.lines:
        for opened in _disclosures(line.fields):
            opened[0] -= opened[0] > at


def _disclosures(fields: object) -> Iterator[list[int]]:
    """Yield the disclosures in nested fields; the first part of each is a sequence."""
    if not isinstance(fields, list):
        return
    if len(fields) == 4 and isinstance(fields[2], bytes) and len(fields[2]) == 32:
        yield fields
    for field in fields:
        yield from _disclosures(field)


def test_a_reroll_of_other_dice_is_refused() -> None:
    """A die that was not rerolled must stay as it was."""
    file, at = a_game_with(the_first("se/dice_shown", lambda line: len(line.fields[1]) == 1))
    faces, [again] = file.lines[at].fields
    kept = next(place for place in range(len(faces)) if place != again)
    faces[kept] = next(face.value for face in Face if face.value != faces[kept])

    assert fault(file) == (at, "law")


def test_a_reroll_of_a_die_that_was_not_rolled_is_refused() -> None:
    """The rerolled dice must show what was rolled."""
    file, at = a_game_with(the_first("se/dice_shown", lambda line: len(line.fields[1]) == 1))
    faces, [again] = file.lines[at].fields
    faces[again] = next(face.value for face in Face if face.value != faces[again])

    assert fault(file) == (at, "law")


def test_other_dice_than_were_rolled_again_against_a_barricade_are_refused() -> None:
    """A rerolled die must show what was rolled, any other what it showed before."""
    for of in (True, False):
        file, at = a_game_with(the_first("se/barricade_rerolled"), first=36)
        _monster, _feature, faces, again, _is_broken = file.lines[at].fields
        place = next(die for die in range(len(faces)) if (die in again) is of)
        faces[place] = next(face.value for face in Face if face.value != faces[place])

        assert fault(file) == (at, "law")


def test_another_result_than_the_dice_show_is_refused() -> None:
    file, at = a_game_with(the_first("se/test_finished"))
    file.lines[at].fields[1] += 1

    assert fault(file) == (at, "law")


@pytest.mark.parametrize("part", [1, 2])
def test_a_false_answer_to_a_code_is_refused(part: int) -> None:
    """The marks of a guess must fit the code once the code is open."""
    file, at = a_game_with(the_first("se/code_guessed"))
    guess = file.lines[at].fields[1]
    guess[part] += 1

    assert fault(file) == (at, "law")


def test_a_card_that_goes_back_is_mixed_in() -> None:
    """Otherwise the place of a card put under a deck would be known."""
    file, at = a_game_with(
        lambda file: next(
            (
                at
                for at, line in enumerate(file.lines[:-1])
                if line.tag == "se/harm_discarded"
                and file.lines[at + 1].tag == "shuffled/2"
                and file.lines[at + 1].fields[2] == "shuffle deck/damage"
                and _is_missed(file, at + 1)
            ),
            None,
        )
    )
    laid = next(line for line in file.lines if line.tag == "se/told")
    file.lines[at + 1] = Line([*file.lines[at + 1].public[:3], "se/told", laid.fields, []], [])

    sequence, kind = _fault_of_laws(file)
    assert kind == "law"
    assert sequence is not None
    assert sequence > at


# Conditions with several backs ------------------------------------------------------------------


def _is_hexed(line: Line) -> bool:
    return bool(line.fields[1] == "condition/hexed")


@pytest.mark.rule("CONDITION-4")
def test_a_condition_from_the_middle_of_its_pile_is_refused() -> None:
    """Otherwise a server could choose who is hit how hard."""
    file, at = a_game_with(the_first("se/condition_gained/2", _is_hexed))
    shuffles = [line for line in file.lines[:at] if line.tag == "shuffled/2"]
    mixed = [line for line in shuffles if line.fields[3] == "deck/condition/hexed"][-1]
    file.lines[at].fields[2] = mixed.fields[4][-1]

    assert _fault_of_laws(file) == (at, "law")


@pytest.mark.rule("CONDITION-4")
def test_a_two_sided_condition_that_is_no_copy_is_refused() -> None:
    """A record without a handle would leave the copy to be named later."""
    file, at = a_game_with(the_first("se/condition_gained/2", _is_hexed))
    file.lines[at].fields[2] = ""

    assert _fault_of_laws(file) == (at, "law")


@pytest.mark.rule("TWOSIDED-3")
@pytest.mark.parametrize("handle", ["", "another"])
def test_a_flip_of_another_copy_of_a_condition_is_refused(handle: str) -> None:
    """The back must be that of the copy."""
    file, at = a_game_with(the_first("se/condition_flipped"))
    file.lines[at].fields[2] = handle

    assert _fault_of_laws(file) == (at, "law")


@pytest.mark.rule("TWOSIDED-3")
def test_another_back_than_that_of_the_copy_is_refused() -> None:
    """Each handle stands for one card of the shuffled order."""
    file, at = a_game_with(the_first("se/condition_flipped", lambda line: line.fields[3]))
    backs = ["back/hexed-gone", "back/hexed-stays"]
    backs.remove(file.lines[at].fields[3])
    file.lines[at].fields[3] = backs[0]

    assert _fault_of_laws(file) == (at, "law")


def _fault_of_laws(file: File) -> tuple[int | None, str]:
    """Return where the laws alone refuse a file, whose draws now have a gap."""
    held, table = laws_of("second_edition"), Table()
    assert held is not None
    for record in load(file.committed_anew().sealed()).records:
        try:
            table = held.follow(table, record)
        except LawBroken:
            return record.sequence, "law"
    return None, ""
