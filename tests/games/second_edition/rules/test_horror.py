"""Horror checks."""

from typing import Any

import pytest

from content.games.second_edition.schema.effects import Amount, PlaceInvestigator, Suffer
from protocol.games.second_edition.events import (
    HarmTaken,
    InvestigatorEliminated,
    MonsterDamaged,
    MonsterMoved,
    MythosStepBegan,
    PhaseBegan,
    Told,
)
from protocol.games.second_edition.table import MythosStep, Phase
from server.games.second_edition.rules import horror
from tests.games.second_edition.rules.bench import Bench
from tests.games.second_edition.rules.test_old_games import of
from tests.games.second_edition.rules.worlds import (
    ADA,
    BEN,
    CORA,
    DROWNED,
    RAT,
    ROW,
    entry,
    monster_card,
    proceed,
    tile,
    world,
)

THIRD = "monster/third"


def horrible(kind: str, rating: int) -> Any:
    """Return a monster of this horror rating, whose text has its name."""
    return monster_card(
        kind, horror_rating=rating, horrors=(entry(text=f"text/horror_{kind[8:]}"),)
    )


def step(*monsters: tuple[str, str], at: Any = None, cards: Any = (), **parts: Any) -> Bench:
    """Return a bench in the horror step."""
    bench = world(
        tiles=[tile(parts.pop("picture", ROW))],
        at=at or {ADA: "house/a"},
        monsters=monsters,
        monster_cards=cards,
        turn_of=None,
        **parts,
    )
    bench.emit(PhaseBegan(Phase.MYTHOS, 1))
    bench.emit(MythosStepBegan(MythosStep.HORROR))
    return bench


def told(bench: Bench) -> list[tuple[str, Any]]:
    """Return the texts told, and whom each concerned."""
    return [(e.text.subject, e.text.params[0]) for e in bench.happened(Told)]


@pytest.mark.rule("HORROR-1")
@pytest.mark.rule("HORROR-6")
@pytest.mark.rule("RANGE-7")
def test_who_has_a_monster_within_range_resolves_its_check() -> None:
    bench = step(
        (DROWNED, "house/d"), cards=[monster_card(horrors=(entry(Suffer(horror=Amount(1))),))]
    )

    proceed(bench)

    assert told(bench) == [("text/entry", ADA)]
    assert len(bench.happened(HarmTaken)) == 1


@pytest.mark.rule("HORROR-4")
def test_who_has_none_within_range_resolves_no_check() -> None:
    """A monster four spaces away is out of range, so the phase ends."""
    bench = step((DROWNED, "house/e"))

    proceed(bench)

    assert told(bench) == []
    assert bench.game_table.round_number == 2


@pytest.mark.rule("HORROR-2")
def test_only_the_most_horrible_monster_is_faced() -> None:
    cards = [horrible(DROWNED, 1), horrible(RAT, 2)]
    bench = step((DROWNED, "house/a"), (RAT, "house/c"), cards=cards)

    proceed(bench)
    proceed(bench)

    assert told(bench) == [("text/horror_rat", ADA)]


@pytest.mark.rule("HORROR-3")
@pytest.mark.rule("EX-28")
def test_among_equals_the_investigator_chooses() -> None:
    """X in this space and Z two spaces away are of rating 3; Y of rating 1 is not offered."""
    cards = [horrible(DROWNED, 3), horrible(RAT, 1), horrible(THIRD, 3)]
    bench = step((DROWNED, "house/a"), (RAT, "house/a"), (THIRD, "house/c"), cards=cards)

    proceed(bench, "m3")

    assert [o.value for o in bench.asked[0].prompts[0].options] == ["m1", "m3"]
    assert told(bench) == [("text/horror_third", ADA)]


@pytest.mark.issue(38)
@pytest.mark.rule("HORROR-3")
@pytest.mark.parametrize(
    ("other", "damage", "is_asked"),
    [("house/a", 0, False), ("house/c", 0, True), ("house/a", 1, True)],
    ids=["alike", "elsewhere", "wounded"],
)
def test_nothing_is_asked_between_monsters_that_are_alike(
    other: str, damage: int, *, is_asked: bool
) -> None:
    """Monsters of one kind, space and state differ only in their ID tokens."""
    bench = step((DROWNED, "house/a"), (DROWNED, other), cards=[horrible(DROWNED, 3)])
    if damage:
        bench.emit(MonsterDamaged("m2", damage))

    proceed(bench, *["m2"] * is_asked)

    assert [ask.rule for ask in bench.asked] == ["HORROR-3"] * is_asked
    assert told(bench) == [("text/horror_drowned", ADA)]


@pytest.mark.issue(38)
@pytest.mark.rule("HORROR-3")
@pytest.mark.rule("DECIDE-139")
def test_a_text_that_was_drawn_already_makes_a_difference() -> None:
    """Ben knows the text that one of two equal monsters has and may prefer the other."""
    card = monster_card(horrors=(entry(text="text/one"), entry(text="text/two")))
    bench = step(*[(DROWNED, "house/a")] * 2, at={ADA: "house/a", BEN: "house/b"}, cards=[card])
    bench.give_picks(1, 0)

    proceed(bench, "m2")

    assert [ask.rule for ask in bench.asked] == ["HORROR-3"]
    assert told(bench) == [("text/two", ADA), ("text/one", BEN)]


@pytest.mark.rule("HORROR-5")
@pytest.mark.rule("DECIDE-139")
@pytest.mark.rule("DECIDE-138")
def test_one_text_serves_all_who_check_against_a_monster() -> None:
    """The text is drawn and told once in the step.

    The order of the checks cannot matter, so none is asked for.
    """
    two = entry(Suffer(horror=Amount(1)), text="text/two")
    card = monster_card(horrors=(entry(text="text/one"), two))
    bench = step((DROWNED, "house/a"), at={ADA: "house/a", BEN: "house/b"}, cards=[card])
    bench.give_picks(1, 0)

    proceed(bench)

    assert told(bench) == [("text/two", ADA)]
    assert [event.investigator for event in bench.happened(HarmTaken)] == [ADA, BEN]
    assert bench.asked == []


@pytest.mark.issue(38)
@pytest.mark.rule("HORROR-5")
def test_a_text_that_speaks_of_the_investigator_is_told_to_each() -> None:
    """Any other text is told once for a monster in a step, however many investigators face it."""
    words = {"en": {"text/two": {"text": "{1} looks at {0}."}}}
    at = {ADA: "house/a", BEN: "house/b"}
    card = monster_card(horrors=(entry(text="text/one"), entry(text="text/two")))
    bench = step((DROWNED, "house/a"), at=at, cards=[card], catalogs=words)
    bench.give_picks(1, 0)

    proceed(bench)

    assert told(bench) == [("text/two", ADA), ("text/two", BEN)]


@pytest.mark.rule("DECIDE-138")
@pytest.mark.rule("CONFLICT-2")
@pytest.mark.rule("DECIDE-142")
def test_the_group_is_asked_once_for_all_checks_where_their_order_matters() -> None:
    """Ben rejects the proposed order, and the group agrees on his."""
    card = monster_card(horrors=(entry(PlaceInvestigator("adjacent")),))
    at = {ADA: "house/a", BEN: "house/b", CORA: "house/c"}
    words = {"en": {"text/entry": {"text": "{0} is told this."}}}
    bench = step((DROWNED, "house/b"), at=at, cards=[card], catalogs=words)

    proceed(bench, {0: 0, 1: "choice/not_usual", 2: 0}, ("cora", "ben", "ada"), ...)

    assert [ask.settle.value for ask in bench.asked[:2]] == ["first_or_all_pass", "agree"]
    assert [who for _, who in told(bench)] == [CORA, BEN, ADA]


@pytest.mark.rule("DECIDE-70")
@pytest.mark.rule("DECIDE-141")
def test_the_eliminated_have_no_voice() -> None:
    """Cora's seat is not asked, and she cannot be drawn to decide."""
    at = {ADA: "house/a", BEN: "house/b", CORA: "house/b"}
    bench = step((DROWNED, "house/a"), at=at)
    bench.emit(InvestigatorEliminated(CORA, 2))
    of(2, bench)

    proceed(bench, ADA)

    assert sorted(bench.asked[0].prompts) == [0, 1]
    assert [voter for voter, _ in bench.asked[0].voters] == [ADA, BEN]


@pytest.mark.rule("DECIDE-139")
def test_the_next_step_draws_anew() -> None:
    card = monster_card(horrors=(entry(text="text/one"), entry(text="text/two")))
    bench = step((DROWNED, "house/a"), cards=[card])
    bench.give_picks(1, 0)

    proceed(bench)
    bench.emit(PhaseBegan(Phase.MYTHOS, 2))
    bench.emit(MythosStepBegan(MythosStep.HORROR))
    proceed(bench)

    assert [subject for subject, _ in told(bench)] == ["text/two", "text/one"]


@pytest.mark.rule("DECIDE-138")
def test_the_board_is_looked_at_when_each_check_starts() -> None:
    card = monster_card(horrors=(entry(PlaceInvestigator("house/e")),))
    bench = step((DROWNED, "house/b"), at={ADA: "house/a", BEN: "house/a"}, cards=[card])
    of(2, bench)

    proceed(bench, ADA)
    bench.emit(MonsterMoved("m1", "house/e"))
    assert horror.waiting(bench.game_table) == ()
    bench.emit(MonsterMoved("m1", "house/c"))

    assert horror.waiting(bench.game_table) == (BEN,)


@pytest.mark.rule("RANGE-3")
def test_a_door_keeps_the_horror_out() -> None:
    bench = step((DROWNED, "house/b"), picture="+---+---+\n| a = b |\n+---+---+")

    assert horror.waiting(bench.game_table) == ()


@pytest.mark.rule("SECRET-13")
def test_the_text_of_a_check_is_drawn_in_the_step() -> None:
    bench = step((DROWNED, "house/a"), cards=[horrible(DROWNED, 1)])

    assert "text/horror" not in repr(bench.log)
