"""Checks of single objects: what cannot be meant is told with its place and what to do."""

import re

import pytest

from tests.games.first_edition.content.packs import FILES, HOUSE, edited, mistakes_in, worded


def test_tiny_pack_has_no_mistakes() -> None:
    assert mistakes_in(worded(FILES)) == ()


def told_once(file: str, old: str, new: str, told: str) -> None:
    """Assert that an edit of the tiny pack is one mistake whose message ends like this."""
    (found,) = mistakes_in(edited(file, (old, new)))

    assert found.startswith(f"{file}:")
    assert told in found


@pytest.mark.rule("K-SETUP-6", "K-DECIDE-8")
def test_investigator_has_two_traits_of_each_group() -> None:
    told_once(
        "investigators.yaml",
        "[trait/quick, trait/strong]",
        "[trait/quick, trait/quick]",
        "investigator/nell.physical: name 2 different physical traits; one of them is kept",
    )


@pytest.mark.rule("K-DECIDE-8")
def test_physical_traits_stand_under_physical() -> None:
    files = edited(
        "investigators.yaml",
        ("physical: [trait/quick, trait/strong]", "physical: [trait/calm, trait/strong]"),
        ("mental: [trait/calm, trait/learned]", "mental: [trait/quick, trait/learned]"),
    )

    reasons = [told.partition("investigator/nell.id: ")[2] for told in mistakes_in(files)]

    assert reasons == [
        "trait/calm is a mental trait (K-DECIDE-8)",
        "trait/quick is a physical trait (K-DECIDE-8)",
    ]


@pytest.mark.rule("K-DECIDE-7", "K-DECIDE-8")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("strength: 3, marksmanship: 4, dexterity: 6", "strength: 3, marksmanship: 4"),
        ("strength: 6, ", "strength: 6, luck: 3, "),
        ("intellect: 4, willpower: 6, lore: 3, luck: 3", "intellect: 4, willpower: 6, lore: 3"),
    ],
)
def test_traits_of_both_groups_have_the_seven_attributes_each_once(old: str, new: str) -> None:
    told = (
        "attributes: a physical trait has strength, marksmanship, dexterity; a mental one has "
        "intellect, willpower, lore, luck; write all of one group and no others"
    )
    told_once("traits.yaml", old, new, told)


@pytest.mark.rule("K-SETUP-8", "K-DECIDE-8")
@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (
            "  item: item/lamp\n",
            "",
            "trait/quick: a physical trait gives exactly one item or one spell",
        ),
        (
            "  item: item/lamp\n",
            "  item: item/lamp\n  spell: spell/ward\n",
            "trait/quick: a physical trait gives exactly one item or one spell",
        ),
        (
            "  modifiers: [{tests: [horror], amount: 1}]\n",
            "  modifiers: [{tests: [horror], amount: 1}]\n  spell: spell/ward\n",
            "trait/calm.spell: only a physical trait gives something; leave it out",
        ),
        (
            "  modifiers: [{tests: [horror], amount: 1}]\n",
            "",
            "trait/calm: a mental trait has an ability; write modifiers or actions",
        ),
    ],
)
def test_physical_trait_gives_something_and_mental_one_has_an_ability(
    old: str, new: str, told: str
) -> None:
    told_once("traits.yaml", old, new, told)


@pytest.mark.rule("K-CARD-11")
def test_trait_gives_a_starting_item() -> None:
    told_once(
        "traits.yaml",
        "item: item/lamp",
        "item: item/key",
        "trait/quick.id: item/key is no starting item; write 'starting: true' there",
    )


@pytest.mark.rule("K-CARD-9", "K-CARD-10")
@pytest.mark.parametrize(
    ("file", "old", "new", "told"),
    [
        (
            "locks.yaml",
            "{keyword: key}",
            "{keyword: key, item: item/key}",
            "write exactly one of item, keyword, test and puzzle; this has item and keyword",
        ),
        (
            "locks.yaml",
            "{keyword: key}",
            "{spend: true}",
            "write exactly one of item, keyword, test and puzzle; this has none",
        ),
        (
            "obstacles.yaml",
            "{test: {attribute: strength}}",
            "{test: {attribute: strength}, spend: true}",
            "spend: no item is asked for that could be discarded; leave it out",
        ),
    ],
)
def test_opening_has_exactly_one_way(file: str, old: str, new: str, told: str) -> None:
    told_once(file, old, new, told)


@pytest.mark.rule("K-DECIDE-58")
def test_spell_has_several_backs() -> None:
    back = "    - id: back/ward-dim\n      passed: [{heal: {damage: 2}}]\n"
    told_once("spells.yaml", back, "", "spell/ward.backs: with one back everybody knows it")


@pytest.mark.rule("K-DECIDE-84")
@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (
            "{use: barricade, breaks: true}",
            "{use: barricade, attribute: luck}",
            "lower.use: a barricade holds or breaks: no test, effect or special attack",
        ),
        (
            "{use: investigator, special: true}",
            "{use: investigator, special: true, breaks: true}",
            "lower.breaks: only 'use: barricade' breaks one; leave it out",
        ),
        (
            "{use: investigator, special: true}",
            "{use: investigator, special: true, failed: [{stun: {}}]}",
            "lower.special: the special attack takes the place of everything else",
        ),
        (
            "{use: hidden, failed:",
            "{use: hidden, passed:",
            "lower.attribute: nothing is tested; name an attribute, or write the result in failed",
        ),
    ],
)
def test_lower_half_has_what_its_use_takes(old: str, new: str, told: str) -> None:
    told_once("combat.yaml", old, new, told)


@pytest.mark.rule("K-DECIDE-51")
@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("kind: unarmed", "kind: bladed", "an attack of the kind unarmed"),
        ("kind: blunt", "kind: bladed", "an attack of the kind blunt"),
        ("{use: hidden,", "{use: investigator,", "the use hidden"),
        ("{use: barricade, breaks: true}", "{use: hidden}", "the use barricade"),
    ],
)
def test_deck_without_a_card_that_is_searched_for_is_refused(old: str, new: str, what: str) -> None:
    found = mistakes_in(edited("combat.yaml", (old, new)))

    assert found == (
        (
            f"monsters.yaml:1:7: monster/rat.id: no combat card of the class beast is for {what}; "
            "a search for one would not end (K-DECIDE-51)"
        ),
    )


@pytest.mark.rule("K-DECIDE-51")
@pytest.mark.parametrize(("old", "new"), [("kind: ranged", "kind: bladed")])
def test_kind_of_attack_that_nobody_makes_needs_no_card(old: str, new: str) -> None:
    """No weapon of the tiny pack is ranged."""
    assert mistakes_in(edited("combat.yaml", (old, new))) == ()


@pytest.mark.rule("K-TRAUMA-8", "K-DECIDE-76", "K-DECIDE-108")
@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("threshold: 5", "threshold: 0", "trauma/sprain.threshold: nobody with health 0 is left"),
        ("  modifiers: [{steps: -1}]\n", "", "trauma/sprain: it does nothing"),
        ("  effect: [{stun: {}}]\n", "", "trauma/dread.instant: it is discarded at once"),
        (
            "  modifiers: [{steps: -1}]\n",
            "  penalty: -2\n",
            "trauma/sprain.penalty: a loss of sight has both penalty and penalty_tests",
        ),
        (
            "  modifiers: [{steps: -1}]\n",
            "  modifiers: [{steps: -1}]\n  ignores_lantern: false\n",
            "trauma/sprain.ignores_lantern: there is no penalty that a lantern could lift",
        ),
        (
            "  modifiers: [{steps: -1}]\n",
            "  modifiers: [{tests: [horror]}]\n",
            "it changes nothing; write amount, steps, armour or another effect",
        ),
    ],
)
def test_trauma_card_has_what_it_needs(old: str, new: str, told: str) -> None:
    told_once("traumas.yaml", old, new, told)


@pytest.mark.parametrize(
    ("file", "old", "new", "told"),
    [
        ("monsters.yaml", "figures: 3", "figures: 4", "3 tokens for 4 figures"),
        ("monsters.yaml", "[{stun: {}}]", "[{special_attack: {}}]", "might never end"),
        ("monsters.yaml", "[{stun: {}}]", "[{attack: {}}]", "might never end"),
        (
            "combat.yaml",
            "{use: hidden, failed: [{suffer: {damage: 1}}]}",
            "{use: hidden, failed: [{one_of: [[], [{attack: {which: this}}]]}]}",
            "lower.failed: an attack that attacks anew might never end",
        ),
        ("items.yaml", "keywords: [weapon]", "keywords: [tome]", "has the keyword and its attack"),
        ("items.yaml", "kind: blunt", "kind: unarmed", "unarmed attacks need no weapon"),
        ("items.yaml", "kind: blunt", "kind: ranged", "a ranged weapon has a range of at least 1"),
        ("actions.yaml", "{draw: {mythos: 1, trauma: 1}}", "{draw: {}}", "write how many cards"),
        ("actions.yaml", "{count: {of: blood}}", "{threat: 0}", "0 changes nothing"),
        ("actions.yaml", "{count: {of: blood}}", "{strike: {damage: 1}}", "nobody is attacking"),
        ("actions.yaml", "{count: {of: blood}}", "{kill_monster: {}}", "no monster is dealt with"),
        ("actions.yaml", "{count: {of: blood}}", "{reveal: false}", "never hidden again"),
        ("actions.yaml", "{count: {of: blood}}", "{one_of: [[]]}", "name at least two effects"),
        (
            "actions.yaml",
            "{count: {of: blood}}",
            "{place: {kind: ladder, at: room/hall}}",
            "ladders and ducts belong to the board; write them under links",
        ),
        ("mythos.yaml", "face_down: explored", "requires: {any: []}", "at least one requirement"),
        (
            "mythos.yaml",
            "face_down: explored",
            "requires: {several: {of: [{events: 1}, {threat: 2}], at_least: 3}}",
            "there are 2 requirements: it never holds",
        ),
        (
            "mythos.yaml",
            "face_down: explored",
            "requires: {count: {of: blood}}",
            "write at_least or at_most, or both",
        ),
        (
            HOUSE,
            "{kind: hiding_spot, at: house/b}",
            "{kind: fire, at: house/b}",
            "features[0].at: fire is in a room",
        ),
        (
            HOUSE,
            "{kind: hiding_spot, at: house/b}",
            "{kind: hiding_spot, at: room/hall}",
            "features[0].at: hiding_spot is in a space",
        ),
        (HOUSE, "threat: [1]", "threat: [1, 2]", "write one number, or one for each of 1 to 4"),
        (HOUSE, "mythos: 1}", "mythos: 2}\ncorpses: 0", None),
        (
            HOUSE,
            "{kind: barricade, at: house/c}",
            "{kind: corpse, at: house/c}\ncorpses: 0",
            "1 lie on the board; there are no more than this (K-SUPPLY-2)",
        ),
        (
            HOUSE,
            "locks:\n",
            "links: [{kind: ladder, spaces: [house/a]}]\nlocks:\n",
            "links[0].spaces: a link joins at least two spaces; name each once",
        ),
        (HOUSE, "most: 5", "most: 5, start: 6", "it begins at 6, which is more than most"),
        (HOUSE, "[{id: shelf}, {id: well}]", "[{id: shelf}]", "a question has at least two"),
    ],
)
def test_what_cannot_be_meant_is_told(file: str, old: str, new: str, told: str | None) -> None:
    found = mistakes_in(edited(file, (old, new)))

    assert (found == ()) if told is None else any(told in one for one in found)


@pytest.mark.rule("K-SECRET-5")
def test_action_of_the_story_must_not_depend_on_an_answer() -> None:
    """Whether it is offered would tell what the keeper answered."""
    deeds = (
        "deeds:\n"
        "  - id: deed/pray\n"
        "    requires: {answer: {question: goal, option: flood}}\n"
        "    effect: [{heal: {horror: 1}}]\n"
        "locks:\n"
    )

    told_once(HOUSE, "locks:\n", deeds, "only events, clues, objectives, allies and decks may ask")


def test_tiles_that_overlap_are_told() -> None:
    lines = ["+-----+", "|     |", "|  a  |", "|     |", "+-----+"]
    drawing = "".join(f"      {line}\n" for line in lines)
    second = f"  - id: barn\n    row: 2\n    column: 2\n    drawing: |\n{drawing}"
    rooms = "rooms:\n  - id: room/hall"
    more = f"{second}    rooms: {{a: room/hall}}\n{rooms}"

    (found,) = mistakes_in(edited(HOUSE, (rooms, more)))

    assert "barn.id: lies on the tile 'house' from row 1, column 1 of its drawing" in found
    assert "instead_of" not in found


@pytest.mark.rule("K-KEEPER-9")
def test_action_that_costs_nothing_has_a_limit() -> None:
    files = {**FILES, "actions.yaml": FILES["actions.yaml"].replace(b"once: true", b"once: false")}
    text = re.sub(rb"threat: \d+", b"threat: 0", files["actions.yaml"])

    found = mistakes_in(worded({**files, "actions.yaml": text}))

    assert found
    assert "could be used for ever" in found[0]


@pytest.mark.rule("K-DECIDE-10")
def test_monster_has_a_limit_of_tokens() -> None:
    backs = "".join(
        f"    - {{id: token/many-{n}, health: 1, damage: 1, copies: 9, special: [stun: {{}}]}}\n"
        for n in range(12)
    )
    text = FILES["monsters.yaml"].decode().replace("  backs:\n", f"  backs:\n{backs}", 1)

    found = mistakes_in(worded({**FILES, "monsters.yaml": text.encode()}))

    assert any("tokens; a type of monster has at most 99" in one for one in found)


@pytest.mark.rule("W-DECIDE-50", "W-DECIDE-49")
@pytest.mark.parametrize(
    ("decks", "told"),
    [
        (
            "[{deck: trail, cards: [{id: trail/ford}], rooms: [room/hall, room/hall]}]",
            "rooms: 2 rooms get a card; the deck has 1",
        ),
        (
            "[{deck: find, cards: [{id: find/bone}], knowers: keeper}]",
            "knowers: the keeper has to find it out; write nobody",
        ),
        (
            "[{deck: find, cards: [{id: find/bone}], knowers: owner}]",
            "knowers: the keeper has to find it out; write nobody",
        ),
        ("[{deck: trail, cards: []}]", "cards: at least one is needed"),
        (
            "[{deck: trail, cards: [{id: trail/a}]}, {deck: trail, cards: [{id: trail/b}]}]",
            "decks: there are two decks of trails; write all cards into one",
        ),
        (
            "[{deck: trail, cards: [{id: trail/a, effect: [deal: {deck: mania}]}]}]",
            "decks: an effect asks for a mania; the story has no such deck",
        ),
    ],
)
def test_decks_of_a_story_that_cannot_be_meant(decks: str, told: str) -> None:
    told_once(HOUSE, "minutes: ", f"decks: {decks}\nminutes: ", told)
