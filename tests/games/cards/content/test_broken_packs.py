"""A sound pack has no findings; each of many small mistakes in it is told with line and advice."""

import functools
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest
import yaml

from content.games.cards import loader
from content.games.cards.check import check
from content.reading.remarks import Level, Remark
from content.reading.words import LANGUAGES

SOUND: Final[Mapping[str, str]] = {
    "investigators.yaml": """\
- id: card/ada
  class: lens
  willpower: 3
  intellect: 4
  combat: 2
  agility: 3
  health: 6
  sanity: 8
  deck_size: 3
  signatures: [card/key, card/debt]
""",
    "players.yaml": """\
- id: card/key
  type: asset
  cost: 1
  icons: [wild]
  signature_of: card/ada
  abilities:
  - does: free
    cost: [{exhaust: {this: true}}]
    effect: [{resources: 1}]
- id: card/debt
  type: event
  weakness: true
  signature_of: card/ada
  abilities:
  - does: revelation
    effect: [{resources: -3}]
- id: card/pistol
  type: asset
  level: 0
  class: [lens]
  cost: 3
  icons: [combat]
  traits: [weapon]
  uses: {kind: ammo, number: 3}
  abilities:
  - does: action
    deed: [fight]
    cost: [{uses: {kind: ammo}}]
    effect: [{fight: {plus: 1}}]
- id: card/dodge
  type: event
  level: 0
  cost: 1
  icons: [agility]
  keywords: [fast]
  abilities:
  - does: play
    on: {when: attacks, who: you}
    effect: [{cancel: true}]
- id: card/lamp
  type: asset
  level: 0
  cost: 2
  icons: [intellect]
  abilities:
  - does: free
    if: {in_test: {yours: true}}
    cost: [{exhaust: {this: true}}]
    effect: [{lasting: {until: test, gives: [{skill: {stat: intellect, by: 1}}]}}]
  - does: reaction
    on: {after: defeated, by: you, card: {types: [enemy]}}
    limit: {per: round}
    effect: [{draw: {number: 1}}]
- id: card/wits
  type: skill
  level: 0
  icons: [wild]
  abilities:
  - does: success
    zone: committed
    effect: [{draw: {number: 1}}]
""",
    "enemies.yaml": """\
- id: card/rat
  set: marsh
  fight: 2
  health: 2
  evade: 2
  damage: 1
  traits: [beast]
  keywords: [hunter]
""",
    "treacheries.yaml": """\
- id: card/fog
  set: marsh
  keywords: [hidden, peril]
  abilities:
  - does: revelation
    effect: [{choose: {card: {nearest: {types: [location]}}}}, {attach: {to: they}}]
  - does: forced
    on: {at: round-ends}
    effect: [{discard: this}]
""",
    "locations.yaml": """\
- id: card/quay
  symbol: circle
  face:
    id: card/quay-seen
    shroud: 1
    clues: 2
    connects: [square]
- id: card/lane
  symbol: square
  face:
    id: card/lane-seen
    shroud: 2
    connects: [circle]
    abilities:
    - does: haunted
      effect: [{harm: {horror: 1}}]
""",
    "acts.yaml": """\
- id: card/act-one
  clues: 2
- id: card/act-two
  clues: 2
  back: [{resolution: resolution/won}]
""",
    "agendas.yaml": """\
- id: card/agenda-one
  doom: 5
  back: [{resolution: resolution/lost}]
""",
    "references.yaml": """\
- {id: card/calm, s1: {by: -1}, s2: {by: -2}, s3: {by: -2}, s4: {by: -3}}
""",
    "decks.yaml": """\
- id: deck/ada
  investigator: card/ada
  cards: {card/pistol: 2, card/wits: 1}
""",
    "scenarios/night.yaml": """\
id: tiny/night
minutes: 20
sets: [marsh]
acts: [card/act-one, card/act-two]
agendas: [card/agenda-one]
locations: [card/quay, card/lane]
start: card/quay
reference: {standard: card/calm}
bags:
  standard: ["0", "-1", s1, fail, star]
resolutions:
- {id: resolution/none, is_won: false}
- {id: resolution/won, is_won: true}
- {id: resolution/lost, is_won: false}
""",
}
"""The files of a sound pack, without its words."""

BROKEN: Final = yaml.safe_load((Path(__file__).parent / "broken.yaml").read_text("utf-8"))


def worded(files: Mapping[str, str], pack: str = "tiny") -> dict[str, bytes]:
    """Return the files of a pack with words for all that needs some."""
    bare = {name: text.encode() for name, text in files.items()}
    empty = {f"words/{name}/words.yaml": b"quiet/word: word\n" for name in LANGUAGES}
    gaps = loader.gaps(pack, {**bare, **empty})
    words = {gap.subject: gap.fields for gap in gaps}
    text = "".join(
        f"{subject}:\n" + "".join(f"  {field}: word\n" for field in sorted(fields))
        for subject, fields in sorted(words.items())
    )
    return {**bare, **{name: text.encode() for name in empty}}


@functools.cache
def remarks(file: str = "", old: str = "", new: str = "") -> tuple[Remark, ...]:
    """Return the remarks on the sound pack, or on one with a change in one file."""
    files = dict(SOUND)
    if file:
        assert old in files[file], old
        files[file] = files[file].replace(old, new, 1)
    return check("tiny", worded(files))


def test_a_sound_pack_has_no_remarks() -> None:
    assert not remarks()


def _lines(broken: Mapping[str, str]) -> range:
    """Return the lines from the beginning of the entry that is broken to the mistake in it."""
    before, _, _ = SOUND[broken["file"]].partition(broken["old"])
    mistake = before.count("\n") + 1
    begins = [n for n, line in enumerate(before.splitlines(), 1) if line.lstrip().startswith("-")]
    return range(max(begins, default=mistake), mistake + broken["new"].count("\n") + 1)


@pytest.mark.parametrize("broken", BROKEN, ids=lambda one: one["says"][:50])
def test_a_mistake_is_told_with_its_line_and_advice(broken: Mapping[str, str]) -> None:
    found = remarks(broken["file"], broken["old"], broken["new"])
    told = [one for one in found if broken["says"] in one.reason]
    assert told, [str(one) for one in found]
    assert all(one.file in SOUND and one.line >= 1 for one in told)
    assert "elsewhere" in broken or told[0].line in _lines(broken)


def test_there_are_forty_broken_packs() -> None:
    assert len(BROKEN) >= 40


@pytest.mark.rule("C-DECIDE-49")
def test_an_ability_that_cannot_be_reached_is_a_note_that_the_author_can_silence() -> None:
    old = "    deed: [fight]\n"
    (note,) = remarks("players.yaml", old, f"{old}    if: {{phase: mythos}}\n")
    assert note.level == Level.NOTE.value
    silent = f"{old}    if: {{phase: mythos}}\n    unreachable: true\n"
    assert not remarks("players.yaml", old, silent)


@pytest.mark.rule("C-DECIDE-65")
def test_a_text_by_hand_says_the_numbers_of_the_data() -> None:
    files = worded(SOUND)
    for name in LANGUAGES:
        path = f"words/{name}/words.yaml"
        wrong = b"card/rat:\n  text: Hunter. Chasseur. It deals 4 damage.\n"
        files[path] = files[path].replace(b"card/rat:\n", wrong, 1)
    found = check("tiny", files)
    assert ["says the numbers 4" in one.reason for one in found] == [True, True]
