"""Corrections of cards, scenarios and words: later versions of a pack replace single fields."""

import contextlib
import functools
import textwrap
from collections.abc import Mapping

import pytest

from content.games.cards.check import check
from content.games.cards.loader import load_source
from content.games.cards.schema.cards import AbilityZone, By, Does
from content.games.cards.schema.kinds import Keyword
from content.games.cards.schema.occurrences import Happening, Moment
from content.games.cards.schema.pack import Content, Pack
from content.reading.mistakes import ContentErrors
from content.reading.remarks import Level
from protocol.games.cards.table import ENCOUNTER
from protocol.games.cards.words import Token, Until, Zone
from server.games.cards.rules import answers, effects, encounter, enemies, setup
from server.games.cards.rules.play import GameOver, Source
from tests.games.cards.content.test_broken_packs import worded
from tests.games.cards.rules.bench import Bench
from tests.games.cards.rules.worlds import ANNA, BASE, BEN, SCENARIO

CARDS = {
    "players": """
- id: card/lens
  type: asset
  level: 0
  cost: 2
  traits: [tool]
  abilities:
  - does: reaction
    on: {after: engages, who: you}
    effect: [{resources: 1}]
- id: card/whistle
  type: asset
  level: 1
  cost: 1
  traits: [tool]
  abilities:
  - does: free
    effect: [{may: {do: [{resources: 1}]}}]
- id: card/order
  type: event
  level: 0
  cost: 0
  abilities:
  - does: play
    effect: [{discard: {choose: {of: {traits: [tool]}}}}, {resources: 1}]
""",
    "enemies": """
- {id: card/rat, set: night, fight: 3, health: 2, evade: 3, traits: [beast], keywords: [hunter]}
""",
    "acts": """
- id: card/last
  clues: 2
  back:
  - put: {token: resource, number: 2, card: you}
  - times: {number: {per: resources}, do: [{draw: 1}]}
  - if: {that: {round: {most: 3}}, do: [{resolution: resolution/won}]}
""",
}


@functools.cache
def printed_files() -> Mapping[str, bytes]:
    """Return the files of the pack without corrections."""
    names = {*BASE, *CARDS}
    files = {f"{name}.yaml": BASE.get(name, "") + CARDS.get(name, "") for name in names}
    return worded({**files, "scenarios/test.yaml": SCENARIO}, "house")


def files_of(corrections: str) -> dict[str, bytes]:
    return {**printed_files(), "corrections.yaml": textwrap.dedent(corrections).encode()}


@functools.cache
def pack_of(corrections: str = "") -> Pack:
    files = files_of(corrections) if corrections else printed_files()
    return load_source("house", files).pack


def mistakes(corrections: str) -> list[str]:
    """Return the mistakes in a pack with corrections."""
    with pytest.raises(ContentErrors) as caught:
        pack_of(corrections)
    return [str(error) for error in caught.value.errors]


def bench_of(pack: Pack, *people: str) -> Bench:
    return Bench(Content(pack, pack.scenarios["house/test"]), people or (ANNA,))


FIRST = """
- version: "1.1"
  of: [card/lens]
  fields:
    level:
"""
OF_ACT = "- {version: '1.1', of: [card/last], fields: {clues: 3}}\n"
LATER = """
- version: "1.3"
  of: [card/lens]
  fields:
    abilities.0.limit: {per: phase}
- version: "1.2"
  of: [card/lens]
  fields:
    abilities.0.does: forced
"""


@pytest.mark.rule(
    *("C-EX-94", "C-AUTH-3", "C-PATCH-2", "C-PATCH-3", "C-PATCH-4", "C-PATCH-5", "C-PATCH-7"),
    "C-DECIDE-47",
)
def test_corrections_replace_the_fields_that_they_name_and_no_others() -> None:
    printed, first, latest = (
        pack_of(text).players["card/lens"] for text in ("", FIRST, FIRST + LATER)
    )
    assert (printed.level, first.level, latest.level) == (0, None, None)
    assert latest.traits == printed.traits == ("tool",)
    (ability,) = first.abilities
    assert (ability.does, ability.limit) == (Does.REACTION, None)
    (ability,) = latest.abilities
    assert ability.does is Does.FORCED
    assert ability.limit is not None
    assert ability.limit.per is Until.PHASE
    assert ability.on == printed.abilities[0].on

    bench = bench_of(pack_of(FIRST))
    lay_tool(bench, "card/lens")
    for _ in range(2):
        bench.run(enemies.engage(bench.game, [(new_rat(bench), ANNA)]), "card/lens")
    assert bench.count(ANNA, Token.RESOURCE) == 7

    bench = bench_of(pack_of(FIRST + LATER))
    lay_tool(bench, "card/lens")
    for _ in range(2):
        bench.run(enemies.engage(bench.game, [(new_rat(bench), ANNA)]))
    assert bench.count(ANNA, Token.RESOURCE) == 6


def lay_tool(bench: Bench, code: str) -> None:
    bench.lay(code, Zone.PLAY, ANNA)


def new_rat(bench: Bench) -> str:
    return bench.lay("card/rat", Zone.AT, bench.who(ANNA).location)


@pytest.mark.rule("C-PATCH-1")
def test_a_correction_can_name_several_cards() -> None:
    both = "- {version: '1.1', of: [card/lens, card/whistle], fields: {cost: 4}}"
    players = pack_of(both).players
    costs = [players[id_].cost for id_ in ("card/lens", "card/whistle", "card/order")]
    assert costs == [4, 4, 0]


@pytest.mark.rule("C-PATCH-6")
@pytest.mark.parametrize(
    ("corrected", "has_choice"),
    [("", True), ("[{resources: 1}]", False)],
)
def test_what_was_optional_becomes_mandatory(corrected: str, has_choice: bool) -> None:
    bench = bench_of(pack_of(corrected and of_whistle(f"abilities.0.effect: {corrected}")))
    lay_tool(bench, "card/whistle")
    said = ["choice/leave"] if has_choice else []
    bench.resolve("card/whistle", *said)
    assert bench.count(ANNA, Token.RESOURCE) == (5 if has_choice else 6)


def of_whistle(fields: str) -> str:
    return f"- version: '1.1'\n  of: [card/whistle]\n  fields: {{{fields}}}\n"


@pytest.mark.rule("C-PATCH-8")
def test_a_correction_says_who_may_use_an_ability_and_in_which_zone() -> None:
    one = pack_of(of_whistle("abilities.0.by: anyone")).players["card/whistle"].abilities[0]
    assert one.by is By.ANYONE
    one = pack_of(of_whistle("abilities.0.zone: hand")).players["card/whistle"].abilities[0]
    assert one.zone is AbilityZone.HAND

    for fields, users in (("cost: 1", [0]), ("abilities.0.by: anyone", [0, 1])):
        bench = bench_of(pack_of(of_whistle(fields)), ANNA, BEN)
        piece = bench.lay("card/whistle", Zone.PLAY, ANNA)
        able = [
            seat
            for seat, who in enumerate((ANNA, BEN))
            if any(use.piece == piece for use in answers.free(bench.game, who))
        ]
        assert able == users


@pytest.mark.rule("C-PATCH-9")
def test_the_back_of_an_act_is_carried_out_in_the_corrected_order() -> None:
    swapped = """
    - version: "1.1"
      of: [card/last]
      fields:
        back.0: {times: {number: {per: resources}, do: [{draw: 1}]}}
        back.1: {put: {token: resource, number: 2, card: you}}
    """
    for text, drawn in (("", 7), (swapped, 5)):
        bench = bench_of(pack_of(text))
        bench.deck(ANNA, *["card/lens"] * 9)
        back = bench.game.content.pack.acts["card/last"].back[:2]
        bench.run(effects.resolve(bench.game, back, Source("card/last", "", ANNA)))
        assert len(bench.in_hand(ANNA)) == drawn


@pytest.mark.rule("C-PATCH-10")
def test_a_renamed_term_stands_in_every_text_that_has_it() -> None:
    renamed = """
    - version: "1.1"
      of: [trait/tool]
      words:
        en: {name: Device}
        fr: {name: Appareil}
    """
    for language, name in (("en", "Device"), ("fr", "Appareil")):
        catalog = pack_of(renamed).catalogs[language]
        assert catalog["card/lens"]["traits"] == f"{name}."
        assert name in catalog["card/order"]["text"]
        before = pack_of().catalogs[language]
        assert name not in before["card/order"]["text"]


def of_scenario(fields: str) -> str:
    return f"- version: '1.1'\n  of: [house/test]\n  fields:\n    {fields}\n"


@pytest.mark.rule("C-PATCH-11", "C-PATCH-18")
def test_a_correction_changes_the_setup_of_a_scenario_and_its_tokens() -> None:
    text = of_scenario("setup: [{resources: {number: 1, who: each}}]")
    pack = pack_of(text + of_scenario('bags.standard: ["0", "-1", s1]'))
    bench = Bench(Content(pack, pack.scenarios["house/test"]), is_begun=False)
    bench.run(setup.set_up(bench.game))
    assert bench.game_table.bag == ("-1", "0", "s1")
    assert bench.count(ANNA, Token.RESOURCE) == 6


@pytest.mark.rule("C-PATCH-21")
def test_a_correction_changes_the_size_of_starting_hands() -> None:
    corrected = pack_of(of_scenario("starting_hand: -2")).scenarios["house/test"]
    assert (pack_of("").scenarios["house/test"].starting_hand, corrected.starting_hand) == (0, -2)


def of_rat(fields: str) -> str:
    return f"- version: '1.1'\n  of: [card/rat]\n  fields: {{{fields}}}\n"


@pytest.mark.rule("C-PATCH-12", "C-PATCH-13")
def test_a_correction_changes_traits_and_keywords() -> None:
    rat = pack_of(of_rat("traits: [beast, tool], keywords: ")).enemies["card/rat"]
    assert rat.traits == ("beast", "tool")
    assert not rat.keywords
    rat = pack_of(of_rat("keywords.1: alert")).enemies["card/rat"]
    assert rat.keywords == (Keyword.HUNTER, Keyword.ALERT)


@pytest.mark.rule("C-PATCH-14")
def test_a_correction_replaces_what_an_ability_answers_and_when_a_card_is_played() -> None:
    text = "- {version: '1.1', of: [card/lens], fields: {abilities.0.on.after: attacks}}"
    reacting = Content(pack_of(text), pack_of(text).scenarios["house/test"]).reacting
    assert set(reacting) == {(Moment.AFTER, Happening.ATTACKS)}
    text = "- {version: '1.1', of: [card/order], fields: {permitted: {phase: mythos}}}"
    bench = bench_of(pack_of(text))
    lay_tool(bench, "card/lens")
    bench.hand(ANNA, "card/order")
    assert "card/order" not in bench.can_use()


@pytest.mark.rule("C-PATCH-15")
def test_a_correction_replaces_an_effect_or_a_part_of_it() -> None:
    text = "- {version: '1.1', of: [card/order], fields: {abilities.0.effect.1: {resources: 3}}}"
    bench = bench_of(pack_of(text))
    lay_tool(bench, "card/lens")
    bench.resolve("card/order")
    assert bench.discarded(ANNA) == ["card/lens"]
    assert bench.count(ANNA, Token.RESOURCE) == 8


@pytest.mark.rule("C-PATCH-17")
def test_a_correction_replaces_where_an_enemy_spawns() -> None:
    bench = bench_of(pack_of(of_rat("spawn: {id: card/l3}")))
    bench.deck(ENCOUNTER, "card/rat")
    bench.run(encounter.draw(bench.game, ANNA))
    assert bench.card("card/rat").at.of == bench.piece("card/l3")


@pytest.mark.rule("C-PATCH-19")
def test_a_correction_replaces_the_condition_of_a_resolution() -> None:
    text = "- {version: '1.1', of: [card/last], fields: {back.2.if.that: {round: {least: 4}}}}"
    for corrections, is_over in (("", True), (text, False)):
        bench = bench_of(pack_of(corrections))
        back = bench.game.content.pack.acts["card/last"].back[2:]
        with contextlib.suppress(GameOver):
            bench.run(effects.resolve(bench.game, back, Source("card/last", "", ANNA)))
        assert (bench.game_table.resolution == "resolution/won") is is_over


@pytest.mark.rule("C-AUTH-5")
def test_the_version_of_each_correction_can_be_read() -> None:
    pack = pack_of(FIRST + LATER)
    assert pack.history == {
        "card/lens": {
            "level": "1.1",
            "abilities.0.limit": "1.3",
            "abilities.0.does": "1.2",
        }
    }
    lens = pack.catalogs["en"]["card/lens"]["corrected"]
    assert lens == "Corrected in version 1.1, 1.2 and 1.3"
    assert "corrected" not in pack.catalogs["en"]["card/whistle"]
    notes = [one for one in check("house", files_of(FIRST)) if one.level == Level.NOTE.value]
    assert [(one.file, one.line, one.key) for one in notes] == [
        ("corrections.yaml", 5, "card/lens")
    ]
    assert notes[0].reason == "level is corrected since version 1.1"


@pytest.mark.rule("C-AUTH-4")
def test_the_words_of_a_language_change_nothing_that_a_card_does() -> None:
    files = dict(printed_files())
    for name, text in (("en", b"Gain 1 resource."), ("fr", b"Gagnez 9 ressources.")):
        file = f"words/{name}/words.yaml"
        files[file] = files[file].replace(b"card/lens:\n", b"card/lens:\n  text: " + text + b"\n")
    other = load_source("house", files).pack
    assert other.catalogs["fr"]["card/lens"]["text"] == "Gagnez 9 ressources."
    assert other.players == pack_of().players


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            FIRST + "- {version: '1.4', of: [card/lens], fields: {level: 3}}",
            "corrections.yaml:6:53: [1]: version 1.1 corrects 'level' of card/lens",
        ),
        (
            LATER + "- {version: '1.4', of: [card/lens], fields: {abilities: []}}",
            "corrects 'abilities.0.limit' of card/lens in corrections.yaml:5; join the two",
        ),
        (
            "- {version: '1.1', of: [card/lense], fields: {cost: 1}}",
            "there is no card or scenario 'card/lense'; did you mean 'card/lens'?",
        ),
        (
            "- {version: '1.1', of: [trait/tol], words: {fr: {name: Outil}}}",
            "there is no words in 'fr' for 'trait/tol'; did you mean 'trait/tool'?",
        ),
        (
            "- {version: new, of: [card/lens], fields: {cost: 1}}",
            "a version is written in numbers, such as 1.2",
        ),
        (
            "- {version: '1.1', of: [card/lens], fields: {abilities.1.limit: {per: round}}}",
            "nothing stands at '1' of 'abilities.1.limit'; known: 0",
        ),
        (
            "- {version: '1.1', of: [card/lens], fields: {health: }}",
            "nothing stands at 'health' of 'health'; known: abilities, cost, id",
        ),
        (
            "- {version: '1.1', of: [card/lens], fields: {..: 1}}",
            "'..' names no field; write it like 'abilities.0.limit'",
        ),
        (
            "- {version: '1.1', of: [card/lens], fields: {lvl: 1}}",
            "corrections.yaml:1:51: card/lens.lvl: unknown key 'lvl'",
        ),
        (
            "- {version: '1.1', of: [card/lens], fields: {cost: much}}",
            "corrections.yaml:1:52: card/lens.cost: expected a whole number",
        ),
        ("version: '1.1'", "expected a list; begin each correction with '- version: …'"),
    ],
)
def test_a_mistake_in_a_correction_is_told_with_its_line_and_advice(text: str, told: str) -> None:
    found = mistakes(text)
    assert any(told in one for one in found), found
    assert all(one.startswith("corrections.yaml:") for one in found)


OWN = ("scenarios/test.yaml", "acts.yaml", "agendas.yaml")
"""Files that a pack has of its own, whatever it builds on."""


def test_a_pack_corrects_cards_of_the_pack_that_it_builds_on() -> None:
    lent = {f"base/{name}": data for name, data in files_of(FIRST + OF_ACT).items()}
    own = {name: lent.pop(f"base/{name}") for name in OWN}
    own["corrections.yaml"] = b"- {version: '2', of: [card/lens], fields: {cost: 5}}\n"
    own |= {
        f"words/{name}/words.yaml": b"house/test: {name: Night, intro: Night}\n"
        for name in ("en", "fr")
    }
    lens = load_source("house", {**lent, **own}).pack.players["card/lens"]
    assert (lens.level, lens.cost) == (None, 5)
