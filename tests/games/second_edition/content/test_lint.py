"""Linter: it reports content that can never come up in a game."""

import json
from pathlib import Path

import pytest
import yaml

from content.games.second_edition.lint import lint, main
from tests.games.second_edition.content.packs import FILES, TINY, edited, load, mistakes_in

SCENARIO = "scenarios/cellar.yaml"
ATTEMPT = """\
          - attempt:
              puzzle: code/chest
              skill: lore
              solved:
                - gain_item: item/key
                - gain_random_item: {trait: drink}
              unsolved:
                - call: knock
"""
NO_ATTEMPT = """\
          - gain_item: item/key
          - gain_random_item: {trait: drink}
          - call: knock
"""


def test_tiny_pack_is_clean() -> None:
    assert lint(load(FILES)) == []


@pytest.mark.parametrize(
    ("file", "old", "new", "told"),
    [
        (
            SCENARIO,
            "          - place_token: token/man\n",
            "",
            [
                "tiny/cellar: token/man: unused token: nothing that can come up places it",
                "tiny/cellar: end: no 'end' with 'won: true' can come up",
            ],
        ),
        (
            SCENARIO,
            "          - place_tile: cellar\n",
            "",
            [
                "tiny/cellar: cellar: unused tile: nothing that can come up places it",
                "tiny/cellar: room/cellar: unused room: it is on no tile that is placed",
            ],
        ),
        (
            SCENARIO,
            "    - call: scurry\n",
            "",
            [
                "tiny/cellar: scurry: unused named effect: nothing that can come up calls it",
                "tiny: monster/rat: unused monster: no scenario brings it into play",
            ],
        ),
        (
            SCENARIO,
            "    - spawn: {kind: monster/rat, at: hall/a}",
            (
                "    - spawn: {kind: monster/rat, at: hall/a}\n"
                "    - remove_feature: {feature: darkness, at: all}\n"
                "    - remove_feature: {feature: fire, at: all}"
            ),
            ["tiny/cellar: darkness: something asks for this feature, but nothing places it"],
        ),
        (
            SCENARIO,
            "won: false",
            "won: true",
            ["tiny/cellar: end: no 'end' with 'won: false' can come up"],
        ),
        (
            SCENARIO,
            "                - gain_item: item/key\n",
            "",
            [
                "tiny/cellar: item/key: something asks for this item, but it never comes into play",
                "tiny: item/key: unused item: no scenario brings it into play",
            ],
        ),
        (
            SCENARIO,
            "{trait: drink}",
            "{trait: drink, deck: unique}",
            [
                "tiny: item/tonic: unused item: no scenario brings it into play",
                "tiny: unique drink: there is no such item to gain",
            ],
        ),
        (
            SCENARIO,
            "counters: {noise: {}}",
            "counters: {noise: {}, light: {}}",
            ["tiny/cellar: light: unused counter: nothing that can come up changes it"],
        ),
        (
            SCENARIO,
            "when: {counter: {name: noise, at_least: 3}}",
            "when: {round: {at_least: 3}}",
            ["tiny/cellar: noise: unused counter: nothing asks for it"],
        ),
        (
            SCENARIO,
            ATTEMPT,
            NO_ATTEMPT,
            [
                "tiny/cellar: code/chest: unused puzzle: nobody can ever attempt it",
                (
                    "tiny/cellar: code/chest: something asks for this puzzle, "
                    "but it never comes into play"
                ),
            ],
        ),
        (
            SCENARIO,
            "    repeats: true\n",
            "",
            ["tiny/cellar: mythos: no event repeats; a long game runs out of them"],
        ),
        (
            SCENARIO,
            "    row: 0\n    column: 10\n",
            "    row: 5\n    column: 20\n",
            [
                "tiny/cellar: cellar/c: no way leads to this space",
                "tiny/cellar: hall/1: this door leads nowhere",
                "tiny/cellar: cellar/c: this door leads nowhere",
            ],
        ),
        (
            "conditions.yaml",
            "- id: condition/wounded",
            "- {id: condition/wet, copies: 1}\n- id: condition/wounded",
            ["tiny: condition/wet: unused condition: no scenario brings it into play"],
        ),
        (
            "insane.yaml",
            "copies: 5\n  minimum_players: 1",
            "copies: 2\n  minimum_players: 2",
            [
                "tiny: insane: too few Insane backs: "
                f"{backs} for {players} players; each investigator may need one"
                for players, backs in ((1, 0), (3, 2), (4, 2), (5, 2))
            ],
        ),
    ],
)
def test_what_never_comes_up_is_found(file: str, old: str, new: str, told: list[str]) -> None:
    files = edited(file, old, new)
    if "condition/wet" in new:
        for name in ("words/en/words.yaml", "words/fr/words.yaml"):
            files[name] += b"condition/wet: {name: Wet}\n"

    assert [str(finding) for finding in lint(load(files))] == told


WAITING = """\
triggers:
  - {id: drunk, on: item_used, of: item/tonic, effect: []}
  - {id: bitten, on: monster_spawned, of: monster/rat, effect: []}
"""


def test_trigger_that_waits_in_vain_is_told() -> None:
    """The trigger for the tonic is reported, as nothing gives the tonic; the rat does appear."""
    files = edited(SCENARIO, "triggers:\n", WAITING)
    tonic = b"                - gain_random_item: {trait: drink}\n"
    files[SCENARIO] = files[SCENARIO].replace(tonic, b"")

    found = [str(finding) for finding in lint(load(files))]

    assert found[0] == "tiny/cellar: drunk: waits for item/tonic, which never comes into play"
    assert not [finding for finding in found if "bitten" in finding]


def worded(subject: str) -> dict[str, bytes]:
    """Return the tiny pack with words for one more subject."""
    more = f"{subject}: {{name: A, text: B}}\n".encode()
    names = ("words/en/words.yaml", "words/fr/words.yaml")
    return {**FILES, **{name: FILES[name] + more for name in names}}


@pytest.mark.parametrize("subject", ["cellar/unused", "rat/unused", "item/unused"])
def test_unused_text_is_told(subject: str) -> None:
    (finding,) = lint(load(worded(subject)))

    assert str(finding) == f"tiny: {subject}: unused text: nothing names it"


@pytest.mark.parametrize("subject", ["ask/unused", "refusal/unused", "rule/unused", "skill/lore"])
def test_texts_of_rules_are_not_told(subject: str) -> None:
    """Only the code of the rules names such texts, and the linter does not read code."""
    assert lint(load(worded(subject))) == []


def test_command_is_quiet_on_a_clean_pack(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(TINY)]) == 0
    assert capsys.readouterr().out == ""


def write(files: dict[str, bytes], folder: Path) -> str:
    for name, data in files.items():
        (folder / "tiny" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "tiny" / name).write_bytes(data)
    return str(folder / "tiny")


def test_command_tells_findings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([write(edited(SCENARIO, "    repeats: true\n", ""), tmp_path)]) == 1

    told = capsys.readouterr().out
    assert told == "tiny/cellar: mythos: no event repeats; a long game runs out of them\n"


def test_command_tells_findings_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["--json", write(edited(SCENARIO, "    repeats: true\n", ""), tmp_path)])

    assert json.loads(capsys.readouterr().out) == {
        "where": "tiny/cellar",
        "subject": "mythos",
        "reason": "no event repeats; a long game runs out of them",
    }


def test_command_tells_mistakes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write(edited(SCENARIO, "difficulty: 1", "difficulty: 9"), tmp_path)

    assert main(["--json", folder]) == 1
    assert json.loads(capsys.readouterr().out) == {
        "file": SCENARIO,
        "line": 3,
        "column": 13,
        "key": "difficulty",
        "reason": "9 is out of bounds; 1 to 5 is allowed",
    }


def test_division_by_nothing_is_found() -> None:
    files = edited(SCENARIO, "{counter: noise, add: 1}", "{counter: noise, add: round / 0 + 1}")

    assert [str(finding) for finding in lint(load(files))] == [
        "tiny/cellar: / 0: a division by 0; it always gives 0"
    ]


def test_counter_in_a_comparison_is_asked_for() -> None:
    files = edited(SCENARIO, "when: {counter: {name: noise, at_least: 3}}", "when: noise >= 3")

    assert lint(load(files)) == []


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (
            "counters: {noise: {}}",
            "counters: {noise: {}}\ndecks: {sounds: [{id: owl, effect: [{call: knock}]}]}",
            "sounds: unused deck: nothing that can come up draws from it",
        ),
        (
            "counters: {noise: {}}",
            "counters: {noise: {}}\ntimers: {sea: {turns: 2, seen: false, effect: [call: knock]}}",
            "sea: unused timer: nothing that can come up starts it",
        ),
        (
            "    - call: scurry\n",
            "    - return: true\n    - call: scurry\n",
            "return: steps behind it are never resolved",
        ),
    ],
)
def test_what_never_comes_is_found(old: str, new: str, told: str) -> None:
    found = [str(finding) for finding in lint(load(edited(SCENARIO, old, new)))]

    assert f"tiny/cellar: {told}" in found


def test_asking_for_what_never_happens_is_found() -> None:
    files = edited(
        SCENARIO,
        "when: {counter: {name: noise, at_least: 3}}",
        "when: {any: [noise >= 3, {happened: idle}]}",
    )
    effects = files[SCENARIO].replace(b"effects:\n", b"effects:\n  idle:\n    - call: knock\n")

    found = [str(finding) for finding in lint(load({**files, SCENARIO: effects}))]

    reason = "something asks whether this named effect happened, but it never can"
    assert f"tiny/cellar: idle: {reason}" in found


@pytest.mark.rule("SETUP-15")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("start: hall/a", "start: cellar/c"),
        ("  - place_tile: hall\n", "  - when: {holds: round < 9, then: [place_tile: hall]}\n"),
    ],
)
def test_a_start_that_is_not_on_the_board_is_found(old: str, new: str) -> None:
    """The start must be on a tile that the setup itself places, outside of any condition."""
    findings = lint(load(edited(SCENARIO, old, new)))

    tile = "cellar" if "start" in old else "hall"
    reason = f"not on the board at the start; write 'place_tile: {tile}' in setup itself"
    assert f"tiny/cellar: start: {reason}" in [str(finding) for finding in findings]


@pytest.mark.parametrize(
    ("old", "new", "count", "needed"),
    [
        ("maximum_players: 2", "maximum_players: 3", 2, 3),
        ("maximum_players: 2", "maximum_players: 1\ninvestigators: [investigator/ann]", 1, 2),
    ],
)
def test_fewer_investigators_than_players_are_found(
    old: str, new: str, count: int, needed: int
) -> None:
    """A solo player plays two investigators."""
    reason = f"{needed} investigators are needed for all who can play, and there are {count}"

    assert [str(finding) for finding in lint(load(edited(SCENARIO, old, new)))] == [
        f"tiny/cellar: maximum_players: {reason}"
    ]


NOBODY_FILLS = "; no monster is dealt with where it is told"


@pytest.mark.parametrize(
    ("subject", "slot"),
    [
        ("rat/hit", 2),
        ("cellar/prologue", 0),
        ("cellar/objective", 0),
        ("cellar/won", 0),
        ("item/lamp", 0),
    ],
)
def test_a_slot_that_nothing_fills_is_found(subject: str, slot: int) -> None:
    """Players would read the braces of a slot that nothing fills."""
    files = dict(FILES)
    for language in ("en", "fr"):
        name = f"words/{language}/words.yaml"
        words = yaml.safe_load(files[name])
        said = f"x {{{slot}}}"
        words[subject] = {"name": said} if subject.startswith("item/") else said
        files[name] = yaml.safe_dump(words, allow_unicode=True).encode()

    findings = [str(finding) for finding in lint(load(files))]

    assert findings == [f"tiny: {subject}: nothing fills {{{slot}}}"]


def test_a_monster_that_no_story_deals_with_fills_no_slot() -> None:
    """`{1}` in a text stands for the monster, but steps of the setup concern no monster."""
    files = edited(SCENARIO, "  - objective: cellar/objective", "  - say: cellar/saw")
    for language in ("en", "fr"):
        name = f"words/{language}/words.yaml"
        files[name] = FILES[name] + b"cellar/saw: 'It was {1}.'\n"

    assert f"tiny: cellar/saw: nothing fills {{1}}{NOBODY_FILLS}" in [
        str(finding) for finding in lint(load(files))
    ]


def test_numbers_fill_the_slots_behind_the_monster() -> None:
    say = "  - say: {text: cellar/saw, values: [noise, round]}"
    files = edited(SCENARIO, "  - objective: cellar/objective", say)
    for language in ("en", "fr"):
        name = f"words/{language}/words.yaml"
        files[name] = FILES[name] + b"cellar/saw: 'x {2} {3} {4}'\n"

    told = [str(f) for f in lint(load(files)) if f.subject == "cellar/saw"]

    assert told == ["tiny: cellar/saw: nothing fills {4}"]


@pytest.mark.issue(38)
@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("    - call: scurry\n", "    - hurt_person: {token: token/man}\n", "cannot be hurt"),
        ("    kind: search\n", "    kind: search\n    health: 2\n", "only a person can be hurt"),
    ],
)
def test_who_cannot_be_hurt_is_told(old: str, new: str, told: str) -> None:
    """Hurting a person without health is an error, as is health of a token that is no person."""
    mistakes = mistakes_in(edited(SCENARIO, old, new))

    assert told in "".join(map(str, mistakes))


@pytest.mark.issue(38)
def test_something_near_that_never_comes_is_found() -> None:
    near = (
        "    - suffer: {horror: 1, who: {within: {spaces: 1, of: token/man}}}\n    - call: scurry\n"
    )
    files = edited(SCENARIO, "    - call: scurry\n", near)
    gone = {
        **files,
        SCENARIO: files[SCENARIO].replace(b"          - place_token: token/man\n", b""),
    }

    asked = "something asks for this token, but it never comes into play"
    assert asked in {finding.reason for finding in lint(load(gone))}
    assert asked not in {finding.reason for finding in lint(load(files))}


# What is given without end -----------------------------------------------------------------------

ASKED_AGAIN = """\
                - text: cellar/no
                  {when}
                  effect:
{steps}
"""


def with_option(when: str, *steps: str) -> dict[str, bytes]:
    """Return the tiny pack whose old man offers one more option, with these steps."""
    text = ASKED_AGAIN.format(
        when=f"when: {when}" if when else "# always",
        steps="\n".join(f"                    - {step}" for step in steps),
    )
    leave = "                - text: cellar/no\n"
    files = edited(SCENARIO, leave, text + leave)
    counters = b"counters: {noise: {}, given: {is: flag}, tired: {is: flag, of: investigator}}"
    files[SCENARIO] = files[SCENARIO].replace(b"counters: {noise: {}}", counters)
    return files


def endless(files: dict[str, bytes]) -> list[str]:
    """Return the findings about things that an option gives again and again without an end."""
    return [f.reason for f in lint(load(files)) if "without an end" in f.reason]


PASSED = "test: {skill: lore, passed: [%s], failed: [%s]}"


@pytest.mark.issue(38)
@pytest.mark.parametrize(
    ("when", "steps", "what"),
    [
        ("", ["gain_clues: {}"], "Clues"),
        ("", ["heal: {horror: 1, who: all}"], "healing"),
        ("", ["gain_random_item: {trait: drink}"], "Items"),
        ("", ["gain_actions: 1"], "actions"),
        ("", [PASSED % ("{gain_clues: {}}", "{say: cellar/no}")], "Clues"),
        ("", ["gain_clues: {}", "heal: {damage: 1}"], "Clues and healing"),
        ("not given", ["gain_clues: {}"], "Clues"),
        ("", ["gain_clues: {}", "set: {given: true}"], "Clues"),
        ("not given", ["when: {holds: round > 3, then: [{gain_clues: {}}]}"], "Clues"),
        ("", ["call: gift"], "Clues"),
        ("", ["gain_clues: {}", "remove_token: token/man", "place_token: token/man"], "Clues"),
    ],
)
def test_what_is_given_each_time_for_nothing_is_found(
    when: str, steps: list[str], what: str
) -> None:
    """The gift may come by a test, in a named effect, or under a requirement that never changes."""
    files = with_option(when, *steps)
    gift = b"effects:\n  gift:\n    - gain_clues: {}\n"
    files[SCENARIO] = files[SCENARIO].replace(b"effects:\n  knock", gift + b"  knock")

    reason = f"cellar/talk gives {what} each time, at no price and without an end"
    assert endless(files) == [reason]


@pytest.mark.issue(38)
@pytest.mark.parametrize(
    ("when", "steps"),
    [
        ("not given", ["gain_clues: {}", "set: {given: true}"]),
        ("not tired", ["heal: {horror: 1}", "set: {tired: true}"]),
        ("", ["when: {holds: given = 0, then: [{gain_clues: {}}, {set: {given: true}}]}"]),
        ("not given", [PASSED % ("{gain_clues: {}}, {set: {given: true}}", "{say: cellar/no}")]),
        ("{not: {happened: {event: token/man}}}", ["gain_clues: {}"]),
        ("", ["gain_clues: {}", "remove_token: token/man"]),
        ("", ["gain_clues: {}", "suffer: {horror: 1}"]),
        ("", ["spend_clues: 1", "heal: {horror: 1}"]),
        ("", [PASSED % ("{gain_clues: {}}", "{suffer: {horror: 1}}")]),
        ("", ["gain_clues: {}", "call: knock"]),
        ("", ["gain_item: item/key"]),
        ("", ["say: cellar/no"]),
    ],
)
def test_what_ends_or_costs_something_is_not_found(when: str, steps: list[str]) -> None:
    """Not reported are gifts that set a mark, remove their token, have a price, or risk harm."""
    assert endless(with_option(when, *steps)) == []


def with_trigger(*lines: str) -> list[str]:
    """Return the findings on endless gifts for an option whose use sets off this trigger."""
    files = with_option("", "say: cellar/no")
    text = "\n".join(["triggers:", "  - id: thanks", "    on: token_used", *lines, ""])
    assert b"\ntriggers:\n" in files[SCENARIO]
    files[SCENARIO] = files[SCENARIO].replace(b"\ntriggers:\n", f"\n{text}".encode())
    return endless(files)


GIFT = "    effect: [{gain_clues: {}}]"


@pytest.mark.issue(38)
def test_a_trigger_of_each_use_may_give_without_an_end() -> None:
    of = "    of: token/man"
    found = with_trigger(of, "    once: false", GIFT)

    assert found[0] == "cellar/talk gives Clues each time, at no price and without an end"


@pytest.mark.issue(38)
@pytest.mark.parametrize(
    "lines",
    [
        ("    of: token/man", GIFT),
        ("    of: token/chest", "    once: false", GIFT),
        (
            "    of: token/man",
            "    once: false",
            "    effect: [{gain_clues: {}}, {suffer: {horror: 1}}]",
        ),
        (
            "    of: token/man",
            "    once: false",
            "    when: not given",
            "    effect: [{gain_clues: {}}, {set: {given: true}}]",
        ),
    ],
)
def test_a_trigger_that_ends_or_costs_something_is_not_found(lines: tuple[str, ...]) -> None:
    assert with_trigger(*lines) == []
