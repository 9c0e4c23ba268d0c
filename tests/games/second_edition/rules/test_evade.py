"""Evading monsters."""

from typing import Any

import attrs
import pytest

from content.games.second_edition.schema.effects import (
    Amount,
    DamageMonster,
    Forfeit,
    Say,
    SkillTest,
)
from content.games.second_edition.schema.scenario import TokenCard, TokenOption
from protocol.common.text import Text
from protocol.games.second_edition.events import (
    ActionForfeited,
    ActionSpent,
    CluesGained,
    CluesSpent,
    InvestigatorMoved,
    MonsterDamaged,
    TestFinished,
    Told,
)
from protocol.games.second_edition.table import Skill, TokenKind
from server.games.second_edition.rules import tokens
from tests.games.second_edition.rules.bench import Bench
from tests.games.second_edition.rules.worlds import (
    ADA,
    BEN,
    DROWNED,
    RAT,
    ROW,
    entry,
    monster_card,
    offered,
    proceed,
    tile,
    where,
    world,
)
from tests.games.second_edition.rules.worlds_effects import told

SEARCH = TokenCard(
    "token/desk", TokenKind.SEARCH, "house/a", (TokenOption("text/search", (Say("text/found"),)),)
)
STRICT = monster_card(evades=(entry(Forfeit(), text="text/evade"),))


def alert(kind: str, awareness: int, **parts: Any) -> Any:
    """Return a monster of this awareness, whose evade text has its name."""
    return monster_card(
        kind, awareness=awareness, evades=(entry(text=f"text/evade_{kind[8:]}"),), **parts
    )


def here(*kinds: str, **parts: Any) -> Bench:
    """Return a bench with Ada in the space of these monsters."""
    return world(tiles=[tile(ROW)], monsters=[(kind, "house/a") for kind in kinds], **parts)


@pytest.mark.rule("EVADE-1")
@pytest.mark.rule("EVADE-5")
@pytest.mark.rule("EVADE-7")
def test_leaving_a_monsters_space_takes_an_evade_check() -> None:
    bench = here(DROWNED)

    proceed(bench, "house/b", "choice/stop")

    kinds = [type(e) for e in bench.log if isinstance(e, Told | InvestigatorMoved)]
    assert kinds[-2:] == [Told, InvestigatorMoved]
    assert where(bench)[ADA] == "house/b"


@pytest.mark.rule("EVADE-2")
@pytest.mark.rule("EX-28")
def test_only_the_most_alert_monster_is_evaded() -> None:
    bench = here(DROWNED, RAT, monster_cards=[alert(DROWNED, 2), alert(RAT, 3)])

    proceed(bench, "house/b", "choice/stop")

    assert told(bench) == ["text/evade_rat"]


@pytest.mark.rule("EVADE-3")
@pytest.mark.rule("EX-28")
def test_among_equals_the_investigator_chooses() -> None:
    """Two monsters have awareness 3 and one has 2, so the choice is between two."""
    third = alert("monster/third", 2)
    cards = [alert(DROWNED, 3), alert(RAT, 3), third]
    bench = here(DROWNED, RAT, "monster/third", monster_cards=cards)

    proceed(bench, "house/b", "m2", "choice/stop")

    assert [o.value for o in bench.asked[1].prompts[0].options] == ["m1", "m2"]
    assert told(bench) == ["text/evade_rat"]


@pytest.mark.rule("EVADE-4")
@pytest.mark.rule("EVADE-7")
def test_any_other_action_takes_an_evade_check() -> None:
    bench = here(DROWNED, tokens=[SEARCH])

    proceed(bench, "text/search")

    assert told(bench) == ["text/evade", "text/found"]


@pytest.mark.rule("EVADE-4")
@pytest.mark.rule("INTERACT-1")
@pytest.mark.parametrize("kind", [k for k in TokenKind if k is not TokenKind.SIGHT])
def test_every_action_at_a_token_takes_an_evade_check(kind: TokenKind) -> None:
    bench = here(DROWNED, tokens=[attrs.evolve(SEARCH, kind=kind)], monster_cards=[STRICT])

    proceed(bench, "text/search")

    assert told(bench) == ["text/evade"]
    assert bench.happened(ActionForfeited) == [ActionForfeited(ADA, tokens.ACTION_OF[kind])]


@pytest.mark.rule("EVADE-6")
@pytest.mark.rule("FORFEIT-1")
def test_a_check_can_forfeit_the_action() -> None:
    bench = here(DROWNED, tokens=[SEARCH], monster_cards=[STRICT])

    proceed(bench, "text/search")

    assert told(bench) == ["text/evade"]
    assert bench.happened(ActionForfeited) == [ActionForfeited(ADA, "search")]
    assert bench.game_table.actions_left == 1


@pytest.mark.rule("DECIDE-33")
def test_a_failed_check_that_says_nothing_of_forfeiting_does_not_forfeit() -> None:
    """A failure alone does not forfeit; the effect has to say so."""
    test = SkillTest(Skill.AGILITY, failed=(Say("text/failed"),))
    bench = here(DROWNED, tokens=[SEARCH], monster_cards=[monster_card(evades=(entry(test),))])
    bench.give_dice("BBB")

    proceed(bench, "text/search")

    assert told(bench)[1:] == ["text/failed", "text/found"]


@pytest.mark.rule("EVADE-9")
@pytest.mark.rule("EVADE-4")
def test_starting_a_move_calls_for_no_check() -> None:
    bench = here(DROWNED)

    proceed(bench, "choice/move_later", "choice/stop")

    assert told(bench) == []


@pytest.mark.rule("EVADE-10")
def test_who_shares_no_space_with_a_monster_evades_nothing() -> None:
    desk = TokenCard("token/desk", TokenKind.SEARCH, "house/b", SEARCH.options)
    bench = here(DROWNED, tokens=[desk])

    proceed(bench, "house/b", "text/search", "choice/stop")

    assert told(bench) == ["text/evade", "text/found"]


@pytest.mark.rule("DECIDE-32")
def test_every_attempt_has_a_check_of_its_own() -> None:
    bench = here(DROWNED, tokens=[SEARCH])

    proceed(bench, "text/search")
    proceed(bench, "text/search")

    assert told(bench) == ["text/evade", "text/found"] * 2


@pytest.mark.rule("DECIDE-36")
def test_one_attempt_evades_one_monster() -> None:
    """If the check itself removes the evaded monster, the other monster is not evaded instead."""
    slain = monster_card(awareness=3, evades=(entry(DamageMonster(9), text="text/evade"),))
    bench = here(DROWNED, RAT, monster_cards=[slain, alert(RAT, 1)])

    proceed(bench, "house/b", "choice/stop")

    assert told(bench) == ["text/evade"]
    assert where(bench) == {ADA: "house/b", "m2": "house/a"}


@pytest.mark.rule("DECIDE-38")
def test_only_the_one_who_acts_evades() -> None:
    bench = world(
        at={ADA: "house/a", BEN: "house/a"},
        monsters=[(DROWNED, "house/a")],
        items=[],
        tokens=[SEARCH],
    )

    proceed(bench, "text/search")

    checks = [e.text for e in bench.happened(Told) if e.text.subject == "text/evade"]
    assert [text.params[0] for text in checks] == [ADA]


@pytest.mark.rule("SECRET-13")
def test_the_text_of_a_check_is_drawn_when_it_is_made() -> None:
    drawn = monster_card(evades=(entry(text="text/one"), entry(text="text/two")))
    bench = here(DROWNED, monster_cards=[drawn])
    bench.give_picks(1)

    proceed(bench, "house/b", "choice/stop")

    assert told(bench) == ["text/two"]


@pytest.mark.rule("EVADE-4")
@pytest.mark.rule("DECIDE-24")
def test_what_takes_no_action_takes_no_check() -> None:
    """An option without the action icon is used beside a monster without an evade check."""
    free = TokenOption("text/look", (Say("text/seen"),), action=False)
    bench = here(DROWNED, tokens=[TokenCard("token/it", TokenKind.SEARCH, "house/a", (free,))])

    proceed(bench, "text/look")

    assert told(bench) == ["text/seen"]


@pytest.mark.rule("EX-3")
@pytest.mark.rule("EVADE-1")
@pytest.mark.rule("EVADE-10")
@pytest.mark.rule("CLUE-4")
def test_agatha_slips_past_a_deep_one() -> None:
    """Two Clues convert two investigations. The check deals damage and the move continues."""
    passed = (DamageMonster(1),)
    check = SkillTest(Skill.AGILITY, difficulty=Amount(2), passed=passed, failed=(Forfeit(),))
    desk = TokenCard("token/desk", TokenKind.SEARCH, "house/b", SEARCH.options)
    bench = here(DROWNED, tokens=[desk], monster_cards=[monster_card(evades=(entry(check),))])
    bench.emit(CluesGained(ADA, 2))
    bench.give_dice("IIB")

    both = Text("choice/spend_clues", (2,))
    proceed(bench, "house/b", lambda o: o.text == both, "text/search", "choice/stop")

    assert bench.happened(TestFinished) == [TestFinished(ADA, 2, is_passed=True)]
    assert sum(e.count for e in bench.happened(CluesSpent)) == 2
    assert bench.happened(MonsterDamaged) == [MonsterDamaged("m1", 1)]
    assert where(bench)[ADA] == "house/b"
    assert [e.action for e in bench.happened(ActionSpent)] == ["move", "search"]
    assert told(bench) == ["text/entry", "text/found"]


@pytest.mark.rule("EVADE-1")
def test_the_question_says_where_a_monster_must_be_evaded() -> None:
    assert "choice/slip_away house/b" in offered(here(DROWNED))
    assert "choice/move_to house/b" in offered(here())
