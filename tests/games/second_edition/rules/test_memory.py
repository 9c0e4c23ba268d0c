"""Memory of the scenario: when it is recorded, and how much of it."""

from typing import Any

from content.games.second_edition.schema.board_steps import RemoveTile
from content.games.second_edition.schema.cards import SpellBack, SpellCard
from protocol.common.chance import Stream
from protocol.common.events import Shuffled
from protocol.common.text import Text
from protocol.games.second_edition.events import MEMORY_PARTS, CluesGained, MemoryKept
from server.games.second_edition.rules import adjacency, memory, possessions, ruleset
from server.games.second_edition.rules.play import Play
from server.kernel.asks import Option
from server.rulekit.offers import choose_from
from tests.games.second_edition.rules.bench import Bench
from tests.games.second_edition.rules.worlds import ADA, HOUSE_ROOMS, tile, world
from tests.games.second_edition.rules.worlds_effects import resolve


def kept(bench: Bench) -> list[tuple[bool, dict[str, int]]]:
    """Return the numbers recorded, and whether each record was complete."""
    return [(event.is_whole, dict(event.numbers.value)) for event in bench.happened(MemoryKept)]


def test_only_what_has_changed_is_written_until_there_are_many_parts() -> None:
    """Each record has what changed; after `MEMORY_PARTS` of these comes one with everything."""
    bench = world()
    for number in range(MEMORY_PARTS + 2):
        memory.remember(bench.game, f"c{number}", number + 1)
        memory.write_down(bench.game)

    written = kept(bench)

    every = {f"c{number}": number + 1 for number in range(MEMORY_PARTS + 1)}
    assert written[:-2] == [(False, {f"c{n}": n + 1}) for n in range(MEMORY_PARTS)]
    assert written[-2] == (True, every)
    assert written[-1] == (False, {f"c{MEMORY_PARTS + 1}": MEMORY_PARTS + 2})


async def ask(play: Play) -> None:
    await choose_from(
        play,
        play.seat_of(ADA),
        [Option[Any](None, Text("choice/stop"), (), "rest", ends=True)],
        rule="TURN-2",
        about=Text("about/turn", (ADA,)),
        prompt=Text("ask/turn", (ADA, 2)),
    )


def test_memory_is_written_before_each_question_but_one_that_comes_first() -> None:
    """The last record comes at the end, changed or not, so that it reveals nothing."""
    bench = world()
    written: list[int] = []

    async def action() -> None:
        for _ in range(3):
            await ask(bench.game)
            written.append(len(kept(bench)))

    bench.run(ruleset._carry_out(bench.game, action), 0, 0, 0)

    assert written == [0, 1, 2]
    assert len(kept(bench)) == 3


def test_memory_is_written_before_a_first_question_that_something_came_before() -> None:
    bench = world()

    async def action() -> None:
        bench.game.emit(CluesGained(ADA, 1))
        await ask(bench.game)

    bench.run(ruleset._carry_out(bench.game, action), ...)

    assert len(kept(bench)) == 1


def test_copies_that_nobody_tells_apart_are_mixed_by_the_setup() -> None:
    backs = (SpellBack("back/a", 1), SpellBack("back/b", 1))
    bench = world(spells=[SpellCard("spell/light", backs=backs)])
    before = len(bench.happened(Shuffled))

    possessions.lay_out_copies(bench.game)

    assert {event.stream for event in bench.happened(Shuffled)[before:]} == {Stream.SETUP}


def test_what_is_known_of_the_ways_follows_the_tiles() -> None:
    shed = tile(
        "+-----+\n=     |\n=  a  |\n|     |\n+-----+\n", {"a": "room/shed"}, id="shed", column=20
    )
    bench = world(tiles=[tile(rooms=HOUSE_ROOMS), shed], at={ADA: "house/a"})
    table = bench.game.table
    assert "shed/a" in adjacency.steps(table, "house/c")
    tokens, features = table.tokens, table.features

    resolve(bench, RemoveTile("shed"))

    assert (bench.game.table.tokens, bench.game.table.features) == (tokens, features)
    assert "shed/a" not in adjacency.steps(bench.game.table, "house/c")
