"""The plug of the content: stories, maps, marks and editors' schemas."""

import json

import attrs

from content.games.first_edition import json_schema
from content.games.first_edition.plug import KIND
from content.games.first_edition.schema.effects import Count
from content.plugs.kind import Mark
from protocol.common.text import Text
from protocol.games.first_edition.events import Told
from protocol.games.first_edition.table import CounterLine, Ending, FirstEditionTable, Item, Phase
from protocol.games.first_edition.words import RULESET, Side
from tests.games.first_edition.content.packs import FILES, load, worded

STORY = "tiny/house"


def test_story_is_listed() -> None:
    pack = load(worded(FILES))

    (entry,) = KIND.scenarios(pack)

    assert (pack.game, entry.id, entry.minutes, entry.difficulty) == (RULESET, STORY, 20, 1)
    assert KIND.content(pack, STORY).story is pack.scenarios[STORY]


def test_map_has_every_space_and_what_lies_open() -> None:
    drawing, legend = KIND.map_lines(load(worded(FILES)), STORY, "en")

    assert "|  a  :  b  |" in drawing
    assert "    house/d   room/cellar" in legend
    assert "  barricade    house/c" in legend
    assert "  house/d      monster/rat" in legend
    assert legend[-1] == "Investigators start in house/a."


def test_map_is_json() -> None:
    made = KIND.map_as_json(load(worded(FILES)), STORY, "en")

    assert json.loads(json.dumps(made)) == made
    assert made["diagonals"] == [["house/a", "house/d"], ["house/b", "house/c"]]
    assert made["locked"] == ["room/cellar"]


def test_marked_story_counts_every_effect() -> None:
    pack = load(worded(FILES))

    marked = KIND.marked(pack, STORY)

    content = marked.content
    assert Mark("mythos card", "mythos/chill") in marked.everything
    assert Mark("event", "event/night") in marked.everything
    assert Mark("clue", "clue/letter") in marked.everything
    assert Mark("keeper action", "action/brood") in marked.everything
    assert Mark("item", "item/spade") in marked.everything
    first = content.story.events[0].effect[0]
    assert isinstance(first, Count)
    assert first.of in {counter.id for counter in content.story.counters}
    assert content.story.events[0].effect[1:] == pack.scenarios[STORY].events[0].effect


def test_marks_are_read_off_the_table() -> None:
    marked = KIND.marked(load(worded(FILES)), STORY)
    step = marked.content.story.events[0].effect[0]
    table = FirstEditionTable(
        counters={step.of: CounterLine(2)},
        lying={"room/hall": (Item("i1", "item/spade"),)},
        discards={"deck/combat-beast": ("combat/b1",)},
        spent_items=("item/key",),
        revealed="objective/flood",
    )

    assert marked.seen(table) == {
        Mark("event", "event/dusk"): 2,
        Mark("item", "item/key"): 1,
        Mark("objective", "objective/flood"): 1,
    }
    assert set(marked.on_table(table)) == {
        Mark("item", "item/spade"),
        Mark("combat card", "combat/b1"),
    }


def test_outcome_names_the_winning_side() -> None:
    marked = KIND.marked(load(worded(FILES)), STORY)
    table = FirstEditionTable(round_number=7, phase=Phase.OVER)
    ended = attrs.evolve(table, ending=Ending((Side.KEEPER,), Text("result/last_event")))

    assert marked.outcome(table).winners == ()
    assert marked.outcome(ended).winners == ("keeper",)
    assert (marked.outcome(ended).ending, marked.outcome(ended).rounds) == ("result/last_event", 7)
    assert marked.told(Told(Text("house/intro"))) == Text("house/intro")


def test_schemas_of_editors_are_current() -> None:
    """To update them, run `python -m content.games.first_edition.json_schema`."""
    assert json_schema.main(["--check"]) == 0
