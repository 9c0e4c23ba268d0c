"""Options of one investigator alone: the question does not tell others if they exist.

A token has an option without an action, offered if a counter of the investigator is one, for
example after a secret choice. The others know the token and its possible options.
"""

import pytest

from content.games.second_edition.expressions import read_condition
from content.games.second_edition.schema.counters import Counter, Scope
from content.games.second_edition.schema.effects import SetCounters
from content.games.second_edition.schema.scenario import TokenCard, TokenOption
from protocol.event import cut
from protocol.games.second_edition.events import TurnBegan, TurnEnded
from protocol.games.second_edition.table import TokenKind
from server.games.second_edition.rules import actions
from tests.games.second_edition.rules.bench import Bench
from tests.games.second_edition.rules.worlds import ADA, BEN, CORA, offered, proceed, world
from tests.games.second_edition.rules.worlds_effects import resolve
from tests.kernel.twins import blank

PEOPLE = {ADA: "house/a", BEN: "house/b", CORA: "house/b"}


def bargain(bought: int, *, turn_of: str | None = ADA, when: str = "bought = 1") -> Bench:
    """Return a world in which Ada may have accepted an offer, with a token that depends on it."""
    condition, _ = read_condition(when)
    sight = TokenOption("text/option", (), action=False, when=condition)
    bench = world(
        at=PEOPLE,
        tokens=[TokenCard("token/it", TokenKind.SIGHT, "house/c", (sight,))],
        scenario_parts={"counters": {"bought": Counter(of=Scope.INVESTIGATOR), "tide": Counter()}},
        turn_of=turn_of,
    )
    resolve(bench, SetCounters({"bought": bought}))
    return bench


def shown(bench: Bench, seat: int | None) -> list[bytes]:
    """Return what a seat other than Ada's is sent, without commitments."""
    return [blank(cut(stored, seat).public) for stored in bench.stored]


def spend_actions(bench: Bench) -> None:
    """Leave Ada without an action."""
    for _ in range(2):
        actions.spend(bench.game, ADA, "trade")


@pytest.mark.rule("TURN-2", "TOKEN-2")
def test_turn_without_actions_is_asked_on_whether_or_not_there_is_something_left() -> None:
    """If Ada accepted the offer, she has an option left; otherwise she can only end her turn."""
    benches = [bargain(bought) for bought in (0, 1)]
    for bench in benches:
        spend_actions(bench)

    offers = [offered(bench) for bench in benches]
    assert offers == [["choice/end_turn"], ["text/option token/it", "choice/end_turn"]]

    for bench in benches:
        proceed(bench, "choice/end_turn")
    assert shown(benches[0], 1) == shown(benches[1], 1)


def test_turn_without_actions_is_over_where_nothing_is_private() -> None:
    """An option that depends on a counter of the scenario is no secret of an investigator."""
    bench = bargain(0, when="tide = 1")
    spend_actions(bench)

    proceed(bench)

    assert bench.happened(TurnEnded) == [TurnEnded(ADA)]


@pytest.mark.rule("DECIDE-26")
def test_who_is_asked_between_turns_rests_on_nothing_private() -> None:
    """After Ada's turn the other seats are asked, although only she may have an option left."""
    asked = []
    for bought in (0, 1):
        bench = bargain(bought)
        proceed(bench, "choice/end_turn")
        offered(bench)
        assert bench.open is not None
        asked.append(sorted(bench.open.prompts))

    assert asked == [[1, 2], [1, 2]]


def test_last_turn_is_asked_for_whether_or_not_its_owner_could_look() -> None:
    """Ada, the last, is asked to take her turn even if she has no private option."""
    benches = [bargain(bought, turn_of=None) for bought in (0, 1)]
    for bench in benches:
        for who in (BEN, CORA):
            bench.emit(TurnBegan(who, 2))
            bench.emit(TurnEnded(who))

        proceed(bench, "choice/take_turn")

    assert shown(benches[0], 1) == shown(benches[1], 1)
    assert [ask.rule for ask in benches[0].asked] == ["ROUND-3"]
