"""Linter: it goes through all answers of the keeper and reports what can never come up."""

from collections.abc import Sequence

import pytest

from content.games.first_edition.check import check
from content.games.first_edition.lint import lint
from content.reading.remarks import Level
from tests.games.first_edition.content.packs import FILES, HOUSE, edited, load, worded

Change = tuple[str, str]
KEY = "cards: [obstacle/desk, item/key]"
LOCK = "{room: room/cellar, lock: lock/cellar}"
OUT = "outdoor: true\nevent_exhaustion: continue\nminutes: "


def findings(*changes: Change, **files: Sequence[Change]) -> list[str]:
    """Return the findings on the tiny pack after changes of its story and of other files."""
    made = dict(FILES)
    for name, edits in {"house": changes, **files}.items():
        file = HOUSE if name == "house" else f"{name}.yaml"
        made[file] = edited(file, *edits)[file]
    return [str(finding) for finding in lint(load(worded(made)))]


def test_tiny_pack_is_clean() -> None:
    assert findings() == []


@pytest.mark.rule("K-DECIDE-36")
def test_key_behind_its_own_lock_is_found() -> None:
    """The key lies in the room that it opens; so does the last clue, for one of the answers."""
    found = findings(
        (KEY, "cards: [obstacle/desk, nothing]"),
        (
            "cards: [nothing]\n    when: {place: shelf}",
            "cards: [item/key]\n    when: {place: shelf}",
        ),
        (
            "cards: [clue/diary]\n    when: {place: well}",
            "cards: [clue/diary, item/key]\n    when: {place: well}",
        ),
        (
            "    cards: [item/key]\n    when: {place: shelf}",
            "    cards: [item/key, nothing]\n    when: {place: shelf}",
        ),
    )

    behind = "what opens its room, or passes what lies above it, lies behind it"
    assert found == [
        (
            "tiny/house: room/cellar: house/d cannot be entered: "
            "no way leads there, or what opens it lies behind it"
        ),
        f"tiny/house: clue/diary: cannot be reached for {{goal: flood, place: well}}: {behind}",
        f"tiny/house: item/key: cannot be reached: {behind}",
        # Its objective is never revealed with these answers.
        (
            "tiny/house: objective/swarm: investigators_win can never hold for "
            "{goal: swarm, place: well}"
        ),
    ]


@pytest.mark.rule("K-DECIDE-37")
def test_obstacle_above_what_passes_it_is_found() -> None:
    change = ("{test: {attribute: strength}}", "{item: item/key}")

    found = findings(obstacles=[change])

    assert any(one.startswith("tiny/house: item/key: cannot be reached:") for one in found)
    assert any(one.startswith("tiny/house: clue/diary: cannot be reached:") for one in found), (
        "the clue lies below it in one set of answers, and behind the lock in the other"
    )


@pytest.mark.rule("K-DECIDE-36")
def test_lock_that_a_clue_opens_is_no_fault() -> None:
    """A step can open it instead of the key."""
    unlock = ("    number: 2\n", "    number: 2\n    effect: [{unlock: room/cellar}]\n")

    assert findings((KEY, "cards: [obstacle/desk, nothing]"), unlock) == [
        "tiny: item/key: unused item: no story brings it into play"
    ]


@pytest.mark.rule("K-DECIDE-36")
def test_key_that_a_clue_gives_is_no_fault() -> None:
    gain = ("    number: 2\n", "    number: 2\n    effect: [{gain: {item: item/key}}]\n")

    assert findings((KEY, "cards: [obstacle/desk, nothing]"), gain) == []


@pytest.mark.rule("K-LADDER-1")
def test_ladder_is_a_way_and_a_duct_is_none() -> None:
    wall = ("      +--=--X--=--+\n", "      +-----+--=--+\n")
    ladder = ("locks:\n", "links: [{kind: ladder, spaces: [house/a, house/c]}]\nlocks:\n")
    duct = (ladder[0], ladder[1].replace("ladder", "duct"))

    assert findings(wall, ladder) == []
    assert (
        "tiny/house: room/library: house/c cannot be entered: "
        "no way leads there, or what opens it lies behind it"
    ) in findings(wall, duct)


@pytest.mark.rule("K-GOAL-6")
@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (
            ("{killed: {kind: monster/rat}}", "{killed: {kind: monster/cat}}"),
            "investigators_win can never hold",
        ),
        (("{deaths: 1}", "{deaths: 2}"), "keeper_wins can never hold"),
        (("{deaths: 1}", "{events: 3}"), "keeper_wins can never hold"),
        (("{deaths: 1}", "{count: {of: blood, at_least: 6}}"), "keeper_wins can never hold"),
        (("{deaths: 1}", "{feature: {kind: altar}}"), "keeper_wins can never hold"),
        (("{deaths: 1}", "{allies_gone: {unheard: true}}"), "keeper_wins can never hold"),
        (
            ("{deaths: 1}", "{several: {of: [{deaths: 1}, {events: 3}], at_least: 2}}"),
            "keeper_wins can never hold",
        ),
        (
            ("{deaths: 1}", "{monsters: {which: {kind: monster/rat}, at_least: 4}}"),
            "keeper_wins can never hold",
        ),
        (
            ("{deaths: 1}", "{investigators: {cursed: true}}"),
            "keeper_wins can never hold",
        ),
        (
            ("{deaths: 1}", "{answer: {question: goal, option: swarm}}"),
            "keeper_wins can never hold",
        ),
    ],
)
def test_side_that_can_never_win_is_found(change: Change, reason: str) -> None:
    cat = (
        "  backs:\n    - id: token/rat-lean",
        (
            "  backs:\n    - id: token/cat\n      health: 1\n      damage: 1\n"
            "      special: [{stun: {}}]\n      copies: 3\n"
            "- id: monster/rat\n  class: beast\n  awareness: 0\n  horror: -1\n  figures: 3\n"
            "  backs:\n    - id: token/rat-lean"
        ),
    )
    first = ("- id: monster/rat\n  class", "- id: monster/cat\n  class")

    found = findings(change, monsters=[first, cat])

    expected = f"tiny/house: objective/flood: {reason} for {{goal: flood, place: shelf}}"
    assert [one for one in found if "never hold for" in one] == [expected]


@pytest.mark.rule("K-GOAL-6")
@pytest.mark.parametrize(
    "condition",
    [
        "{events: 2}",
        "{count: {of: blood, at_least: 5}}",
        "{threat: 20}",
        "{any: [{events: 9}, {revealed: true}]}",
        "{several: {of: [{events: 9}, {revealed: true}, {threat: 2}], at_least: 2}}",
        "{not: {clue: clue/diary}}",
        "{feature: {kind: darkness, within: room/cellar}}",
        "{investigators: {within: room/cellar, item: item/key}}",
        "{monsters: {at_least: 3}}",
        "{killed: {kind: monster/rat, at_least: 9}}",
    ],
)
def test_condition_that_can_hold_is_no_fault(condition: str) -> None:
    assert findings(("{deaths: 1}", condition)) == []


def test_ending_whose_cause_can_never_hold_is_found() -> None:
    usual = "on_last_event: keeper\n    targets: [monster/rat]\n"
    for cause, is_found in (("{events: 3}", True), ("{events: 1}", False)):
        own = f"    endings: [{{side: keeper, when: {cause}, text: house/intro}}]\n"
        found = findings((usual, f"{usual}{own}"))
        told = ["tiny/house: objective/flood: the cause of house/intro can never hold"]
        assert found == (told if is_found else [])


@pytest.mark.rule("K-MONSTER-10")
def test_target_that_never_comes_is_found() -> None:
    found = findings(
        ("monsters:\n  - {kind: monster/rat, at: house/d}\n", ""),
        ("[{place_monster: {kind: monster/rat, at: house/d}}]", "[]"),
        actions=[("{place_monster: {kind: monster/rat, at: room/cellar}}", "{threat: 1}")],
    )

    assert (
        "tiny/house: objective/flood: its target monster/rat never comes for "
        "{goal: flood, place: shelf}"
    ) in found
    assert "tiny/house: action/scurry: nothing that it does can ever happen in this story" in found


@pytest.mark.rule("K-MONSTER-10", "W-NAMED-1")
def test_targets_are_the_monsters_that_are_to_be_killed() -> None:
    first = "on_last_event: keeper\n    targets: [monster/rat]\n"
    missing = (first, "on_last_event: keeper\n")
    needless = ("{killed: {kind: monster/rat}}", "{revealed: true}")

    assert findings(missing) == [
        (
            "tiny/house: objective/flood: asks for the death of monster/rat, which is no target; "
            "write it in 'targets', or it can be killed automatically"
        )
    ]
    assert findings(needless) == [
        "tiny/house: objective/flood: its target monster/rat need not be killed"
    ]


@pytest.mark.rule("K-DECIDE-11", "K-DECIDE-69")
@pytest.mark.parametrize(
    "condition",
    [
        "{investigators: {hidden: true, within: room/cellar, keyword: tome}}",
        "{investigators: {who: others}}",
        "{feature: {kind: fire}}",
        "{monsters: {which: {class: eldritch}}}",
    ],
)
def test_mythos_card_that_can_never_be_played_is_found(condition: str) -> None:
    change = ("{investigators: {who: actor, within: room/hall}}", condition)

    assert findings(mythos=[change]) == [
        "tiny/house: mythos/chill: its condition can never hold in this story"
    ]


@pytest.mark.rule("K-CARD-3", "K-KEEPER-8")
def test_keeper_action_that_nobody_can_pay_is_found() -> None:
    """Threat of one investigator in seven rounds, and 1 at the start."""
    assert findings(actions=[("threat: 1\n", "threat: 8\n")]) == []
    assert findings(actions=[("threat: 1\n", "threat: 9\n")]) == [
        "tiny/house: action/scurry: costs 9 threat; the keeper never has more than 8"
    ]


@pytest.mark.rule("K-DECIDE-105")
def test_keeper_action_whose_tokens_never_come_together_is_found() -> None:
    assert findings(actions=[("tokens: {blood: 1}", "tokens: {blood: 6}")]) == [
        "tiny/house: action/brood: costs 6 of 'blood', which never come together"
    ]


@pytest.mark.rule("K-KEEPER-5")
@pytest.mark.parametrize(("given", "is_found"), [(11, True), (12, False)])
def test_threat_that_an_event_gives_pays_for_a_keeper_action(given: int, is_found: bool) -> None:
    gift = ("[{place_monster: {kind: monster/rat, at: house/d}}]", f"[{{threat: {given}}}]")

    found = findings(gift, actions=[("threat: 1\n", "threat: 20\n")])

    assert any("costs 20 threat" in one for one in found) is is_found


@pytest.mark.rule("W-DECIDE-50")
@pytest.mark.parametrize(("copies", "is_found"), [(1, True), (3, False)])
def test_card_of_the_story_comes_as_often_as_it_has_copies(copies: int, is_found: bool) -> None:
    card = f"{{id: trail/a, copies: {copies}, effect: [count: {{of: blood}}]}}"
    decks = ("minutes: ", f"decks: [{{deck: trail, cards: [{card}]}}]\n{OUT}")
    wins = ("{deaths: 1}", "{count: {of: blood, at_least: 3}}")

    found = findings(decks, wins, actions=[(", {count: {of: blood}}", "")])

    assert any("keeper_wins can never hold" in one for one in found) is is_found


@pytest.mark.rule("K-CAMP-2", "K-ALTAR-1")
def test_keeper_action_without_its_altar_or_campfire_is_found() -> None:
    needs = [("threat: 1\n", "threat: 1\n  requires: {feature: {kind: altar}}\n")]
    fire = [("{move_monster: {spaces: 2}}", "{spread_fire: {}}")]
    altar = ("features:\n", "features:\n  - {kind: altar, at: house/a}\n")
    campfire = (altar[0], altar[1].replace("altar", "campfire"))

    assert findings(actions=needs) == [
        "tiny/house: action/scurry: its condition can never hold in this story"
    ]
    assert findings(actions=fire) == [
        "tiny/house: action/scurry: nothing that it does can ever happen in this story"
    ]
    assert findings(altar, actions=needs) == []
    assert findings(campfire, actions=fire) == []


@pytest.mark.parametrize(
    "effect",
    [
        "[{suffer: {horror: 1}}]",
        "[{place: {kind: darkness, at: actor}}]",
        "[{when: {holds: {investigators: {who: actor, alone: true}}, then: [{threat: 1}]}}]",
        "[{choose: {prompt: house/water, options: [{text: house/water}, {text: house/squeak}]}}]",
        "[{for_each: {who: others, effect: [{threat: 1}]}}]",
        "[{take: room/hall}]",
        "[{hurt_monster: {which: room, damage: 1}}]",
    ],
)
def test_event_about_an_actor_whom_nobody_named_is_found(effect: str) -> None:
    assert findings(("[{place: {kind: darkness, at: room/cellar}}]", effect)) == [
        (
            "tiny/house: event/dusk: something in it is about the actor: no investigator is "
            "concerned there; write 'who', or a place"
        )
    ]


@pytest.mark.parametrize(
    "effect",
    [
        "[{for_each: {who: all, effect: [{suffer: {horror: 1}}]}}]",
        "[{test: {attribute: luck, who: all, failed: [{suffer: {horror: 1}}]}}]",
    ],
)
def test_actor_whom_the_effect_itself_names_is_no_fault(effect: str) -> None:
    assert findings(("[{place: {kind: darkness, at: room/cellar}}]", effect)) == []


@pytest.mark.rule("W-DECIDE-48")
def test_actor_of_a_test_that_a_ritual_brings_is_no_fault() -> None:
    solved = "[test: {attribute: luck, who: all, failed: [stun: {}]}]"
    ritual = f"[ritual: {{puzzle: puzzle/rite, actions: 3, solved: {solved}}}]"
    files = edited("actions.yaml", ("[{move_monster: {spaces: 2}}]", ritual))
    rite = "- {id: puzzle/rite, family: order, rows: 1, columns: 5, pieces: [a, b, c, d, e]}\n"
    files |= {
        "puzzles.yaml": rite.encode(),
        "pieces.yaml": b"order: {a: 1, b: 1, c: 1, d: 1, e: 1}",
    }

    assert [str(one) for one in lint(load(worded(files)))] == []


def test_question_on_which_nothing_depends_is_found() -> None:
    third = "  - id: hour\n    options: [{id: noon}, {id: late}]\nobjectives:\n  - id"
    files = edited(HOUSE, ("objectives:\n  - id", third))
    for language in ("en", "fr"):
        words = b"house/hour: x\nhouse/noon: x\nhouse/late: x\n"
        files[f"words/{language}/more.yaml"] = words

    assert [str(one) for one in lint(load(files))] == [
        "tiny/house: hour: unused question: nothing depends on the answer"
    ]


@pytest.mark.parametrize(
    ("subject", "is_told"), [("item/hat", True), ("house/hat", True), ("ask/hat", False)]
)
def test_text_that_nothing_names_is_found(subject: str, is_told: bool) -> None:
    files = worded(FILES)
    for language in ("en", "fr"):
        files[f"words/{language}/more.yaml"] = f"{subject}: x\n".encode()

    told = [f"tiny: {subject}: unused text: nothing names it"] if is_told else []
    assert [str(one) for one in lint(load(files))] == told


def test_slot_that_the_rules_never_fill_is_found() -> None:
    choose = (
        "choose: {by: keeper, prompt: house/ask, options: [{text: house/yes}, {text: house/no}]}"
    )
    files = edited(HOUSE, ("[{place: {kind: darkness, at: room/cellar}}]", f"[{{{choose}}}]"))
    for language in ("en", "fr"):
        name = f"words/{language}/all.yaml"
        for subject in ("house/water", "house/yes"):
            old = f"{subject}: {{name: {subject}, text: {subject}}}"
            new = f'{subject}: {{name: {subject}, text: "{{0}} {{1}}"}}'
            assert old.encode() in files[name]
            files[name] = files[name].replace(old.encode(), new.encode())

    assert [str(one) for one in lint(load(files))] == [
        "tiny: house/water: nothing fills {0}",
        "tiny: house/water: nothing fills {1}",
        "tiny: house/yes: nothing fills {1}",
    ]


def test_cards_that_no_story_brings_into_play_are_found() -> None:
    assert findings(("actions: [action/scurry, ", "actions: ["), (LOCK, LOCK)) == [
        "tiny: action/scurry: unused keeper action: no story brings it into play"
    ]


def test_monster_with_one_back_is_found() -> None:
    fat = "    - id: token/rat-fat\n      health: 3\n      damage: 2\n      special: [{stun: {}}]\n"

    assert findings(monsters=[(fat, ""), ("copies: 2", "copies: 3")]) == [
        "tiny: monster/rat: all tokens have one back, so that everybody knows it"
    ]


def test_findings_have_their_place() -> None:
    files = edited("mythos.yaml", ("{who: actor, within: room/hall}", "{who: others}"))

    remark, note = check("tiny", files)

    assert str(remark) == (
        "mythos.yaml:1:7: mythos/chill: its condition can never hold in this story"
    )
    assert (remark.level, note.level) == (Level.FINDING.value, Level.NOTE.value)


@pytest.mark.rule("K-CARD-9")
def test_key_that_is_discarded_at_one_lock_and_needed_at_another_is_found() -> None:
    spent = [("{test: {attribute: strength}}", "{item: item/key, spend: true}")]

    found = findings((KEY, "cards: [item/key, obstacle/desk]"), obstacles=spent)

    assert any(
        one.startswith(
            "tiny/house: lock/cellar: what opens it, item/key, may be discarded at obstacle/desk"
        )
        for one in found
    )
