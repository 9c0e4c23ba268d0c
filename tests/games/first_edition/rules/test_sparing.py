"""Failed evade tests: the keeper spares an investigator, or lets the damage be dealt."""

from typing import Any

import pytest

from protocol.common.asks import Settle
from protocol.common.table import Settings
from protocol.games.first_edition import events as fe
from protocol.games.first_edition.table import TRAUMA_HAND
from server.games.first_edition.rules import evade
from tests.games.first_edition.rules.bench import KIM, Bench
from tests.games.first_edition.rules.going import go
from tests.games.first_edition.rules.worlds import ADA, BEN, MAN, injury, insanity, world

rule = pytest.mark.rule


def slipping(*answers: Any, roll: int = 9, **more: Any) -> Bench:
    """Have Ada step away from a monster that deals 2 damage; the evade test fails."""
    given: dict[str, Any] = {"monsters_at": [(MAN, "house/a")], **more}
    bench = world((ADA, BEN), **given)
    bench.give_rolls(roll)
    go(bench, "house/b", *answers)
    return bench


@rule("K-DECIDE-31", "K-EVADE-8", "K-EVADE-9", "K-EX-2")
def test_silence_lets_the_damage_be_dealt_and_the_step_goes_on() -> None:
    bench = slipping({})

    assert bench.who(ADA).damage == 2
    assert bench.who(ADA).space == "house/b"
    (_, window) = bench.asked
    assert (window.settle, window.kind, tuple(window.prompts)) == (
        Settle.WINDOW,
        evade.WINDOW,
        (KIM,),
    )


@rule("K-DECIDE-31", "K-EVADE-8", "K-DECIDE-60")
def test_the_keeper_may_spare_and_then_no_back_is_shown() -> None:
    bench = slipping({KIM: lambda one: one.text.subject == "choice/spare"})

    assert bench.who(ADA).damage == 0
    assert bench.happened(fe.MonsterBackShown) == []


@rule("K-DECIDE-60", "K-INFO-4", "K-DECIDE-31")
def test_damage_that_is_dealt_shows_the_back() -> None:
    assert len(slipping({}).happened(fe.MonsterBackShown)) == 1


@rule("K-DECIDE-31")
def test_the_same_window_takes_the_trauma_card_of_the_damage() -> None:
    bench = slipping({KIM: "injury/limp"}, trauma=[injury("limp")])

    assert bench.who(ADA).damage == 2
    assert bench.who(ADA).injury == "injury/limp"
    assert bench.game_table.triggers == ()
    assert len(bench.asked) == 2


@rule("K-DECIDE-31")
def test_without_a_card_there_the_trigger_is_past() -> None:
    bench = slipping({}, trauma=[injury("limp")])

    go(bench, ...)

    assert bench.open is not None
    assert tuple(bench.open.prompts) == (1,)


@rule("K-DECIDE-31", "K-TRAUMA-11", "K-TRAUMA-6")
@pytest.mark.parametrize(("threshold", "is_offered"), [(5, False), (6, True)])
def test_thresholds_count_the_damage_that_would_be_dealt(threshold: int, is_offered: bool) -> None:
    cards = [injury("break", threshold=threshold), insanity("fear")]
    bench = slipping(..., trauma=cards)

    assert bench.open is not None
    offered = [
        one.text.params[0] for one in bench.open.prompts[KIM].options if one.group == "trauma"
    ]
    assert offered == (["injury/break"] if is_offered else [])


@rule("K-DECIDE-31", "K-DECIDE-32", "K-DECIDE-73")
def test_damage_that_kills_ends_the_step_and_takes_no_card() -> None:
    bench = world((ADA, BEN), monsters_at=[(MAN, "house/a")], trauma=[injury("limp")])
    bench.set(ADA, damage=7)
    bench.give_rolls(9)

    go(bench, "house/b", ...)
    assert bench.open is not None
    assert not [one for one in bench.open.prompts[KIM].options if one.group == "trauma"]
    dying = world((ADA, BEN), monsters_at=[(MAN, "house/a")], trauma=[injury("limp")])
    dying.set(ADA, damage=7)
    dying.give_rolls(9)
    go(dying, "house/b", {})

    assert ADA not in dying.game_table.investigators
    assert dying.happened(fe.Moved) == []
    assert dying.game_table.active is None


@rule("K-DECIDE-31")
def test_who_passes_on_sparing_for_good_is_asked_for_trauma_alone() -> None:
    bench = slipping({KIM: "choice/spare_never"}, {KIM: "injury/limp"}, trauma=[injury("limp")])
    assert not bench.game_table.may_spare
    assert len(bench.happened(fe.SparesNoMore)) == 1
    assert [ask.rule for ask in bench.asked[1:]] == ["K-DECIDE-31", "K-TRAUMA-3"]
    assert bench.who(ADA).injury == "injury/limp"

    bench.emit(fe.Moved(ADA, "house/a"))
    bench.give_rolls(9)
    go(bench, "house/b")

    assert bench.who(ADA).damage == 4
    assert bench.hand(TRAUMA_HAND) == {}
    assert bench.asked[-1].settle is Settle.EACH


@rule("K-DECIDE-31", "K-SECRET-20")
def test_the_window_opens_without_trauma_cards_as_long_as_the_keeper_may_spare() -> None:
    asked = [
        [(ask.rule, ask.about, tuple(ask.prompts)) for ask in slipping({}, trauma=cards).asked]
        for cards in ([], [injury("limp")], [insanity("fear")])
    ]

    assert asked[0] == asked[1] == asked[2]


@rule("K-DECIDE-31", "K-DECIDE-107")
def test_at_a_table_by_calendar_the_game_waits_for_the_answer() -> None:
    bench = world((ADA, BEN), monsters_at=[(MAN, "house/a")])
    bench.table = bench.table.with_room(settings=Settings(by_calendar=True))
    bench.give_rolls(9)

    go(bench, "house/b", lambda one: one.text.subject == "choice/spare")

    assert bench.asked[-1].settle is Settle.EACH
    assert bench.who(ADA).damage == 0


@rule("K-EVADE-9", "K-EX-2")
def test_a_passed_test_asks_nobody() -> None:
    bench = slipping(roll=5)

    assert len(bench.asked) == 1
    assert bench.who(ADA).damage == 0
