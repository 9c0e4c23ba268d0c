"""Rows about the rules of the card game alone, beside plain msgpack; and what an action costs."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import attrs

from bench.counts import ANSWERS, Counter, played, scenarios_of
from bench.players import Numbers
from bench.rows import Row
from bench.rules import collected_by_plan, cpu_seconds, packed_plainly
from bench.within import within
from content.games.cards.schema.kinds import CardType
from content.games.cards.schema.occurrences import Happening
from content.games.cards.schema.pack import Content
from protocol.common.events import Answered, Voted
from protocol.event import Event, Stored
from protocol.games.cards.events import ActionsSet, RoundBegan
from protocol.games.cards.words import RULESET, Zone
from server.games.cards.rules import answers, timing
from server.games.cards.rules.play import Occurrence
from server.kernel.batch_writer import Batch
from tests.games.cards.rules.bench import Bench
from tests.games.cards.simulate import Simulation, core, simulate

NAMES: Final = ("cards_rules_records_s", "cards_empty_occurrence_us")
GAMES: Final = 4
PLAYERS: Final = 4
CARDS: Final = 60
"""Cards in play where an occurrence is timed, beside those that a table begins with."""
HAND: Final = 8
OCCURRENCES: Final = 2000
SCENARIO: Final = "casebook/one"
ANSWERS_OF_CARDS: Final = 300
"""Counted answers at the table of the scenario: most of a game."""

Inputs = Sequence[tuple[Event, int]]


def rows(names: Sequence[str], rounds: int) -> Iterable[Row]:
    with collected_by_plan():
        if "cards_rules_records_s" in names:
            yield _rules(rounds)
        if "cards_empty_occurrence_us" in names:
            yield _occurrence(rounds)


def _at_random(seed: int, scenario: str) -> tuple[Inputs, Sequence[Stored]]:
    """Play a game at random; return its inputs and its log."""
    inputs: list[tuple[Event, int]] = []

    class Noted(Simulation):
        def after_batch(self, happened: Event, origin: int, batch: Batch) -> None:
            del batch
            inputs.append((happened, origin))

    game = simulate(seed, PLAYERS, scenario=scenario)
    noted = Noted(game.room, game.rng, PLAYERS, core(), scenario)
    return inputs, tuple(noted.play().room.log)


def _again(seed: int, scenario: str, inputs: Inputs) -> None:
    """Give a new room all inputs of a game: neither a player's thinking nor notes are timed."""
    new = simulate(seed, PLAYERS, scenario=scenario)
    for happened, origin in inputs:
        new.time += 1000
        new.room.receive(happened, time=new.time, origin=origin)
        new.room.commit()


def _rules(rounds: int) -> Row:
    """Measure the rules with random players, because these reach more of them."""
    ours = plain = events = 0.0
    for seed, scenario in islice(enumerate(cycle(core().scenarios)), GAMES):
        inputs, log = _at_random(seed, scenario)
        for _ in range(rounds):
            ours += cpu_seconds(lambda: _again(seed, scenario, inputs))  # noqa: B023 (called at once)
            plain += cpu_seconds(lambda: packed_plainly(log))  # noqa: B023 (called at once)
        events += rounds * len(log)
    what = "rules of the card game alone, four players at random"
    beside = "plain msgpack unpacks and packs the records"
    return Row("cards_rules_records_s", events / ours, "1/s", what, events / plain, beside)


def _full_table() -> Bench:
    """Return a table with many cards in play and four full hands."""
    pack = core()
    people = tuple(pack.investigators)[:PLAYERS]
    bench = Bench(Content(pack, pack.scenarios["casebook/one"]), people)
    assets = [card.id for card in pack.players.values() if card.type is CardType.ASSET]
    for who, code in islice(zip(cycle(people), cycle(assets), strict=False), CARDS):
        bench.lay(code, Zone.PLAY, who)
    for who in people:
        bench.hand(who, *islice(pack.players, HAND))
    return bench


def _empty(bench: Bench, number: int) -> Iterator[None]:
    """Let an occurrence that nothing answers happen so often."""

    async def effect(_: list[Occurrence]) -> None:
        return

    async def all_of_them() -> None:
        for _ in range(number):
            await timing.happen(bench.game, [Occurrence(kind, who=who)], effect)

    who = bench.game.table.order[0]
    kind = next(one for one in Happening if not answers.is_answered(bench.game, one))
    procedure = all_of_them()
    while True:
        try:
            procedure.send(None)
        except StopIteration:
            return
        yield


def _occurrence(rounds: int) -> Row:
    bench = _full_table()
    took = min(cpu_seconds(lambda: list(_empty(bench, OCCURRENCES))) for _ in range(max(3, rounds)))
    _, log = _at_random(0, next(iter(core().scenarios)))
    plain = min(cpu_seconds(lambda: packed_plainly(log)) for _ in range(max(3, rounds)))
    what = f"an occurrence that nothing answers, {CARDS} cards in play, four full hands"
    beside = "plain msgpack unpacks and packs one record"
    micro = 1_000_000
    return Row(
        "cards_empty_occurrence_us",
        micro * took / OCCURRENCES,
        "us",
        what,
        micro * plain / len(log),
        beside,
    )


@attrs.define
class _Actions:
    """Counts what actions of the card game cost, from the first round on."""

    records: int = 0
    answers: int = 0
    actions: int = 0
    """Actions that were spent or lost; what is used beside them belongs to them."""
    _left: dict[str, int] = attrs.field(factory=dict)

    def happened(self, event: Event) -> None:
        """Count an event."""
        if not self.records and not isinstance(event, RoundBegan):
            return
        self.records += 1
        self.answers += isinstance(event, Answered | Voted)
        if isinstance(event, ActionsSet):
            who = event.investigator
            self.actions += max(0, self._left.get(who, 0) - event.actions)
            self._left[who] = event.actions


def count_cards(answers: int = ANSWERS_OF_CARDS) -> dict[str, float]:
    """Play a scenario of the card game, and the first one of another game; return the figures."""
    counter, counted = Counter(), _Actions()
    with (
        TemporaryDirectory(prefix="manse-bench-") as name,
        within(Path(name), counter.counting) as server,
    ):
        lines = {line.scenario: line for line in scenarios_of(server)}
        others = next(line for line in lines.values() if line.ruleset != RULESET)
        numbers = Numbers()
        theirs = played(server, numbers, others, counter, ANSWERS)
        ours = played(server, numbers, lines[SCENARIO], counter, answers, counted.happened)
    bytes_event = ours.by_name()["sent_bytes_seat_event"]
    return {
        "records_action": round(counted.records / counted.actions, 2),
        "answers_action": round(counted.answers / counted.actions, 2),
        "bytes_seat_event": round(bytes_event / theirs.by_name()["sent_bytes_seat_event"], 2),
    }
