"""Locations, clues and cards with two faces. Sections 1.19, 2.10 and 2.21."""

import pytest

from content.games.cards.schema.conditions import Exists
from content.games.cards.schema.kinds import ONE
from content.games.cards.schema.targets import Filter
from protocol.games.cards.table import Place
from protocol.games.cards.words import Token, Zone
from server.games.cards.rules import conditions, elimination, harm, locations, rounds
from server.games.cards.rules.play import GameOver, Source, location_of
from tests.games.cards.rules.bench import Bench
from tests.games.cards.rules.worlds import ANNA, BEN, content_of

LOCATIONS = """
- id: card/l2
  symbol: s2
  connects: [s1, s3]
  face: {id: card/l2-seen, shroud: 2, clues: 2}
- id: card/l3
  symbol: s3
  connects: [s2, s4]
  face: {id: card/l3-seen, shroud: 2}
  abilities:
  - does: constant
    if: {not: {exists: {of: {id: card/l2-seen, lacks: clue}}}}
    gives: [{cannot: {do: enter, of: each, where: {this: true}}}]
- id: card/l4
  symbol: s4
  connects: [s3]
  face: {id: card/l4-day, shroud: 2, victory: 1}
  other: {id: card/l4-night, shroud: 5}
"""
PLAYERS = """
- id: card/turner
  type: asset
  cost: 1
  abilities:
  - {does: action, effect: [{flip: {each: {id: card/l4}}}]}
  - {does: action, effect: [{flip: {each: {types: [story]}}}]}
  - {does: action, effect: [{discover: {number: 2, who: each-here}}]}
- id: card/watcher
  type: asset
  cost: 1
  abilities:
  - {does: forced, on: {after: leaves-play}, effect: [{resources: 1}]}
  - {does: forced, on: {after: enters-play}, effect: [{resources: 1}]}
  - {does: forced, on: {after: enters}, effect: [{resources: 1}]}
  - {does: forced, on: {after: location-revealed}, effect: [{resources: 1}]}
"""
ENEMIES = "- {id: card/x, fight: 3, health: 1, victory: 1}"
STORIES = "- {id: card/task, other: card/x}"
TREACHERIES = "- {id: card/vines}"
CONTENT = content_of(
    locations=LOCATIONS,
    players=PLAYERS,
    enemies=ENEMIES,
    stories=STORIES,
    treacheries=TREACHERIES,
)


def _offered(bench: Bench, who: str) -> list[str]:
    bench.run(rounds.act(bench.game, who), ...)
    assert bench.open is not None
    return [
        str(option.text.params[0])
        for prompt in bench.open.prompts.values()
        for option in prompt.options
        if option.text.subject == "choice/move"
    ]


@pytest.mark.rule("C-EX-24", "C-LOC-7")
def test_an_unrevealed_location_has_not_had_all_its_clues_discovered() -> None:
    bench = Bench(CONTENT, (ANNA, BEN))
    bench.set(ANNA, location=bench.piece("card/l2"))
    assert _offered(bench, ANNA) == ["card/l1-seen"]
    bench.reveal("card/l2")
    bench.tokens_on(bench.piece("card/l2"), clue=1)
    assert _offered(bench, ANNA) == ["card/l1-seen"]
    bench.tokens_on(bench.piece("card/l2"), clue=0)
    assert _offered(bench, ANNA) == ["card/l1-seen", "card/l3"]


@pytest.mark.rule("C-EX-31", "C-LOC-5", "C-LOC-6", "C-BLOC-3")
def test_what_lies_on_an_unrevealed_location_stays_when_it_is_revealed() -> None:
    bench = Bench(CONTENT)
    place = bench.piece("card/l2")
    bench.tokens_on(place, clue=1)
    bench.lay("card/x", Zone.AT, place)
    bench.lay("card/vines", Zone.ON, place)
    bench.run(locations.reveal(bench.game, (place,)))
    assert bench.count("card/l2", Token.CLUE) == 3
    assert bench.card("card/x").at == Place(Zone.AT, place)
    assert bench.card("card/vines").at == Place(Zone.ON, place)


@pytest.mark.rule("C-BLOC-2")
def test_a_location_is_revealed_once_as_somebody_first_enters_it() -> None:
    bench = Bench(CONTENT, (ANNA, BEN))
    place = bench.piece("card/l2")
    bench.run(locations.move(bench.game, (ANNA,), place, Source("", "", ANNA)))
    bench.tokens_on(place, clue=0)
    bench.run(locations.move(bench.game, (BEN,), place, Source("", "", BEN)))
    assert bench.card("card/l2").face == "card/l2-seen"
    assert bench.count("card/l2", Token.CLUE) == 0


@pytest.mark.rule("C-BLOC-6", "C-LOC-3", "C-LOC-4")
def test_only_clues_on_the_location_itself_are_discovered() -> None:
    bench = Bench(CONTENT, (ANNA, BEN))
    here = bench.piece("card/l1")
    bench.tokens_on(here, clue=1)
    bench.tokens_on(bench.own(BEN), clue=1)
    bench.lay("card/vines", Zone.THREAT, ANNA, tokens={"clue": 1})
    assert bench.run(locations.discover(bench.game, ANNA, here, 3)) == 1
    assert bench.count(ANNA, Token.CLUE) == 1
    assert bench.count(BEN, Token.CLUE) == 1
    assert bench.count("card/vines", Token.CLUE) == 1


@pytest.mark.rule("C-FLIP-1", "C-FLIP-2", "C-BSPEC-3", "C-EX-75")
def test_a_location_that_is_flipped_keeps_all_that_lies_at_it() -> None:
    bench = Bench(CONTENT)
    bench.walk(ANNA, "card/l4")
    place = bench.piece("card/l4")
    bench.tokens_on(place, clue=2, doom=1)
    bench.lay("card/vines", Zone.ON, place)
    bench.lay("card/x", Zone.AT, place)
    bench.lay("card/turner", Zone.PLAY, ANNA)
    bench.lay("card/watcher", Zone.PLAY, ANNA)
    bench.act(_ability(0))
    assert bench.card("card/l4").face == "card/l4-night"
    assert bench.card("card/l4").piece == place
    assert bench.card("card/l4").tokens == {"clue": 2, "doom": 1}
    assert bench.card("card/vines").at == Place(Zone.ON, place)
    assert location_of(bench.game, bench.card("card/x")) == place
    assert bench.at(ANNA) == "card/l4"
    # Nothing left play or entered it.
    assert bench.count(ANNA, Token.RESOURCE) == 5


def _ability(at: int) -> object:
    """Return an answer: the option for an ability of the turner."""
    seen: list[object] = []

    def fits(option: object) -> bool:
        if "card/turner" not in repr(getattr(option, "text", "")):
            return False
        seen.append(option)
        return len(seen) == at + 1

    return fits


@pytest.mark.rule("C-FLIP-3", "C-BLOC-9")
@pytest.mark.parametrize(("flips", "experience"), [(0, 1), (1, 0)])
def test_the_face_that_shows_counts_for_victory(flips: int, experience: int) -> None:
    bench = Bench(CONTENT)
    bench.reveal("card/l4")
    bench.lay("card/turner", Zone.PLAY, ANNA)
    for _ in range(flips):
        bench.act(_ability(0))
    with pytest.raises(GameOver):
        bench.run(elimination.end(bench.game, CONTENT.scenario.resolutions[0]))
    assert bench.game_table.experience == experience


@pytest.mark.rule("C-EX-76", "C-FLIP-3", "C-BSPEC-7")
def test_a_task_that_is_flipped_to_an_enemy_counts_as_one() -> None:
    bench = Bench(CONTENT, (ANNA, BEN))
    bench.lay("card/turner", Zone.PLAY, ANNA)
    bench.lay("card/task", Zone.THREAT, ANNA)
    bench.act(_ability(1))
    other = bench.lay("card/task", Zone.THREAT, BEN)
    enemy = next(card for card in bench.game_table.cards.values() if card.face == "card/x")
    assert enemy.engaged == (ANNA,)
    watched = Exists(Filter(id="card/x"), most=ONE)
    assert conditions.holds(bench.game, watched, Source("", "", ANNA))
    bench.run(harm.place(bench.game, [harm.Part(enemy.piece, 1), harm.Part(other, 1)], ""))
    assert bench.game_table.cards[other].at == Place(Zone.THREAT, BEN)
    with pytest.raises(GameOver):
        bench.run(elimination.end(bench.game, CONTENT.scenario.resolutions[0]))
    assert bench.game_table.experience == 1


@pytest.mark.rule("C-BLOC-10")
def test_two_locations_with_one_title_are_two_places() -> None:
    bench = Bench()
    other = locations.lay(bench.game, "card/l2")
    here, near = bench.who(ANNA).location, bench.piece("card/l3")
    twins = {card.piece for card in bench.game_table.lying(Zone.MAP) if card.code == "card/l2"}
    assert len(twins) == 2
    assert {*locations.ways(bench.game, here)} == twins
    assert {here, near} <= {*locations.ways(bench.game, other)}
    assert not twins & {*locations.ways(bench.game, other)}
