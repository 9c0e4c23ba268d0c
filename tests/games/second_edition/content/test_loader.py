"""Loader: types, defaults, words, and the pack as a whole."""

import hashlib
import shutil
from collections.abc import Callable
from importlib import resources
from pathlib import Path

import pytest

from content.games.second_edition.lint import lint
from content.games.second_edition.loader import load_pack
from content.games.second_edition.schema import (
    cards,
    counters,
    effects,
    monsters,
    puzzles,
    requirements,
    scenario,
)
from content.games.second_edition.schema.pack import Pack
from content.reading.files import MAX_FILES, read_files
from content.reading.mistakes import ContentErrors
from content.reading.yaml_subset import MAX_FILE_BYTES
from protocol.games.second_edition.table import Harm, Skill, TokenKind
from tests.games.second_edition.content.packs import FILES, TINY, edited, load, mistakes_in


@pytest.fixture(scope="module")
def tiny() -> Pack:
    return load_pack(TINY)


@pytest.fixture(scope="module")
def cellar(tiny: Pack) -> scenario.Scenario:
    return tiny.scenarios["tiny/cellar"]


def test_an_investigator_is_read_with_defaults(tiny: Pack) -> None:
    assert tiny.investigators["investigator/ann"] == cards.InvestigatorCard(
        id="investigator/ann",
        health=7,
        sanity=6,
        strength=3,
        agility=4,
        observation=5,
        lore=2,
        influence=3,
        will=4,
        ability=cards.Powers(reroll=cards.Reroll(dice=2, skill=Skill.OBSERVATION)),
    )


def test_an_item_is_read_with_enums_and_tuples(tiny: Pack) -> None:
    assert tiny.items["item/lamp"] == cards.ItemCard(
        id="item/lamp",
        deck="common",
        copies=2,
        traits=("light",),
        attack=cards.Attack(cards.Reach.MELEE, cards.WeaponKind.HEAVY, 1),
    )


def test_harm_follows_from_the_file(tiny: Pack) -> None:
    assert {card.id: card.harm for card in tiny.harms.values()} == {
        "damage/bruise": Harm.DAMAGE,
        "damage/limp": Harm.DAMAGE,
        "horror/whispers": Harm.HORROR,
    }


def test_resolve_is_a_list_of_steps(tiny: Pack) -> None:
    assert tiny.harms["damage/bruise"].resolve == (
        effects.Suffer(damage=1, facedown=True),
        effects.TurnThisFacedown(),
    )


def test_a_negative_number_of_a_card_is_read(tiny: Pack) -> None:
    keep = tiny.harms["damage/limp"].keep

    assert keep == cards.Powers((cards.Modifier(cards.ModifierKind.SPACES, -1),))


def test_nested_requirements_of_an_insane_back_are_read(tiny: Pack) -> None:
    back = tiny.insane["insane/hollow"]

    assert back.wins == requirements.Not(requirements.IsWon(value=True))


def test_a_monster_is_read_with_attacks_by_option(tiny: Pack) -> None:
    rat = tiny.monsters["monster/rat"]

    assert rat.health == effects.Amount(2, 1)
    assert set(rat.attacks) == set(cards.WeaponKind)
    assert rat.attacks[cards.WeaponKind.SPELL] == (
        monsters.Entry("rat/hit", (effects.DamageMonster(1),)),
    )
    assert rat.activations[0].target is monsters.Target.LEAST_DAMAGE


def test_a_branch_of_a_test_is_read_as_an_effect(tiny: Pack) -> None:
    (evade,) = tiny.monsters["monster/rat"].evades

    assert evade.effect == (
        effects.SkillTest(
            skill=Skill.AGILITY,
            failed=(effects.Suffer(damage=1), effects.Forfeit()),
        ),
    )


def test_a_scenario_is_read_with_lists_and_mappings(cellar: scenario.Scenario) -> None:
    assert (cellar.minutes, cellar.start, cellar.starting_items) == (
        20,
        "hall/a",
        ("item/lamp",),
    )
    assert cellar.counters == {"noise": counters.Counter()}
    assert cellar.rooms == (
        scenario.MapRoom("room/hall"),
        scenario.MapRoom("room/cellar", outdoor=True),
    )
    assert set(cellar.effects) == {"knock", "scurry"}
    assert cellar.codes == (puzzles.Code("code/chest", 3, ("1", "2", "room/hall")),)


def test_drawing_is_kept_as_drawn(cellar: scenario.Scenario) -> None:
    """Every blank is kept except the final line feed."""
    assert cellar.tiles[1].drawing.split("\n") == [
        "+-----+",
        "=     |",
        "=  c  |",
        "|     |",
        "+-----+",
    ]


def test_requirements_of_a_token_option_are_read(cellar: scenario.Scenario) -> None:
    hatch, chest, man = cellar.tokens

    assert hatch.kind is TokenKind.EXPLORE
    assert hatch.options[0].requires == requirements.HasTrait("light")
    assert chest.options[0].when == requirements.Not(requirements.Solved("code/chest"))
    assert not man.options[0].action


def test_effects_of_a_choice_are_read(cellar: scenario.Scenario) -> None:
    (choose,) = cellar.tokens[2].options[0].effect

    assert choose == effects.Choose(
        "cellar/ask",
        (
            effects.EffectChoice(
                "cellar/yes",
                (effects.End(won=True, epilogue="cellar/won"),),
                requirements.HasItem("item/key"),
            ),
            effects.EffectChoice("cellar/no"),
        ),
    )


def test_words_stay_words(tiny: Pack) -> None:
    """`yes` and `no` are booleans to other YAML readers."""
    english = tiny.catalogs["en"]

    assert english["cellar/no"] == {"text": "no"}
    assert english["cellar/yes"] == {"text": "yes"}
    assert english["token/man"] == {"name": "Old man"}


def test_end_of_a_block_does_not_matter(tiny: Pack) -> None:
    assert tiny.catalogs["en"]["cellar/prologue"]["text"] == "It is dark.\n\nIt is cold."
    assert tiny.catalogs["fr"]["cellar/prologue"]["text"] == "Il fait noir.\n\nIl fait froid."


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("{dice: {count: 1}}", None),
        (
            "one_of: [[say: cellar/opened], []]",
            effects.OneOf((effects.Way((effects.Say("cellar/opened"),)), effects.Way(()))),
        ),
        ("count: {counter: noise, to: 0}", effects.Count("noise", to=0)),
        ("lose_actions: 2", effects.LoseActions(2)),
        (
            "heal: {horror: 2, who: most_horror}",
            effects.Heal(horror=2, who=effects.Who.MOST_HORROR),
        ),
        ("turn_faceup: {harm: horror}", effects.TurnFaceup(Harm.HORROR)),
        ("gain_clues: {count: {each: 1}}", effects.GainClues(effects.Amount(0, 1))),
        (
            "spawn: {kind: monster/rat, at: random}",
            effects.Spawn("monster/rat", "random"),
        ),
        (
            "when: {holds: {any: [{has_clues: 1}, {round: {at_most: 3}}]}, then: [may_move: {}]}",
            effects.When(
                requirements.AnyOf((requirements.HasClues(1), requirements.Round(at_most=3))),
                (effects.MayMove(),),
            ),
        ),
    ],
)
def test_each_form_of_a_step_is_read(written: str, read: effects.Step | None) -> None:
    files = edited("scenarios/cellar.yaml", "say: cellar/opened", written)

    if read is None:
        with pytest.raises(ContentErrors):
            load(files)
    else:
        hatch = load(files).scenarios["tiny/cellar"].tokens[0]
        assert hatch.options[0].effect[0] == read


def test_digest_covers_names_and_bytes() -> None:
    """The digest covers file names and bytes in the order of the names."""
    digest = hashlib.sha256()
    for name in sorted(FILES):
        for part in (name.encode(), FILES[name]):
            digest.update(len(part).to_bytes(8, "big") + part)

    assert load(FILES).digest == digest.digest()


def test_digest_changes_with_a_comment() -> None:
    assert (
        load({**FILES, "items.yaml": FILES["items.yaml"] + b"# x\n"}).digest != load(FILES).digest
    )


def test_order_of_reading_does_not_matter() -> None:
    assert load(dict(reversed(list(FILES.items())))) == load(FILES)


@pytest.mark.parametrize("kind", [str, Path])
def test_folder_may_be_text_or_path(kind: Callable[[Path], str | Path], tiny: Pack) -> None:
    assert load_pack(kind(TINY)) == tiny


def test_folder_may_be_a_resource() -> None:
    """An installed wheel offers resources instead of paths."""
    assert "items.yaml" in read_files(
        resources.files("tests.games.second_edition.content") / "tiny"
    )


def test_other_files_are_left_alone(tmp_path: Path, tiny: Pack) -> None:
    """Read-me files, licences and backups of editors may be in the folder of a pack."""
    pack = tmp_path / "tiny"
    shutil.copytree(TINY, pack)
    (pack / "README.md").write_text("x")
    (pack / ".items.yaml").write_text("x")
    (pack / "words" / "en" / "words.yaml~").write_text("x")

    assert load_pack(pack) == tiny


def reason_for(folder: Path) -> str:
    """Return the only error that loading a folder reports."""
    with pytest.raises(ContentErrors) as caught:
        load_pack(folder)
    (error,) = caught.value.errors
    return str(error)


def test_missing_folder_is_told(tmp_path: Path) -> None:
    assert "no pack is here" in reason_for(tmp_path / "nothing")


def test_link_is_refused(tmp_path: Path) -> None:
    """A stranger's pack must not make the server read other files."""
    (tmp_path / "items.yaml").symlink_to(TINY / "items.yaml")

    assert "items.yaml:1:1: a symbolic link" in reason_for(tmp_path)


def test_linked_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "words").symlink_to(TINY / "words")

    assert "words:1:1: a symbolic link" in reason_for(tmp_path)


def test_long_file_is_not_read(tmp_path: Path) -> None:
    with (tmp_path / "items.yaml").open("wb") as file:
        file.truncate(MAX_FILE_BYTES + 1)

    assert "bytes; split it" in reason_for(tmp_path)


def test_many_files_are_refused(tmp_path: Path) -> None:
    """The loader stops early in a folder that is no pack."""
    for number in range(MAX_FILES + 1):
        (tmp_path / f"{number}.yaml").touch()

    assert f"more than {MAX_FILES} files" in reason_for(tmp_path)


def test_unreadable_file_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "items.yaml").touch()

    def refuse(self: Path) -> bytes:
        raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr("content.reading.files.open_plain", refuse)

    assert "items.yaml:1:1: cannot be read: Permission denied" in reason_for(tmp_path)


def test_only_an_explore_token_lies_on_a_door_token() -> None:
    door = "doors: [{id: breach, between: [hall/b, cellar/c]}]\ncodes:"
    file = "scenarios/cellar.yaml"
    text = FILES[file].decode().replace("codes:", door).replace("at: hall/b", "at: breach")

    told = [str(mistake) for mistake in mistakes_in({**FILES, file: text.encode()})]

    assert any(
        "'token/chest' is no explore token and cannot lie on a door" in line for line in told
    )


FLYING = """\
- id: ability/flying
  passes: [impassable]
- id: ability/ram
  barricade_dice: -1
"""


def with_abilities(yaml: str = FLYING, had: str = "[ability/flying]") -> dict[str, bytes]:
    """Return the files of the tiny pack with abilities; the rat has some of them."""
    words = {
        f"words/{language}/words.yaml": FILES[f"words/{language}/words.yaml"]
        + b"ability/flying: {name: F}\nability/ram: {name: R}\n"
        for language in ("en", "fr")
    }
    rat = FILES["monsters.yaml"].decode().replace("copies: 4", f"copies: 4\n  abilities: {had}")
    return {**FILES, **words, "abilities.yaml": yaml.encode(), "monsters.yaml": rat.encode()}


def test_abilities_of_monsters() -> None:
    pack = load(with_abilities())

    assert pack.abilities == {
        "ability/flying": monsters.Ability("ability/flying", (monsters.Passable.IMPASSABLE,)),
        "ability/ram": monsters.Ability("ability/ram", barricade_dice=-1),
    }
    assert pack.monsters["monster/rat"].abilities == ("ability/flying",)
    assert [str(finding) for finding in lint(pack)] == [
        "tiny: ability/ram: unused ability: no monster has it"
    ]


@pytest.mark.parametrize(
    ("files", "told"),
    [
        (with_abilities("- id: ability/flying"), "this ability does nothing"),
        (with_abilities(had="[ability/swimming]"), "there is no ability 'ability/swimming'"),
        (with_abilities(FLYING.replace("ability/ram", "ram")), "'ram' is no id"),
    ],
)
def test_mistakes_in_abilities(files: dict[str, bytes], told: str) -> None:
    assert any(told in str(mistake) for mistake in mistakes_in(files))


def test_the_easiest_scenario_stands_first() -> None:
    """Newcomers are offered the first scenario."""
    hard = FILES["scenarios/cellar.yaml"].replace(b"difficulty: 1", b"difficulty: 4")
    files = {**FILES, "scenarios/attic.yaml": hard.replace(b"tiny/cellar", b"tiny/attic")}
    for name in ("words/en/words.yaml", "words/fr/words.yaml"):
        files[name] = files[name] + b"tiny/attic: {name: A, text: B, full: C}\n"

    assert list(load(files).scenarios) == ["tiny/cellar", "tiny/attic"]


def test_an_effect_can_make_insane_although_no_card_is_called_so() -> None:
    """`condition/insane` stands for the Insane Conditions, whose backs are the cards.

    Rule INSANE-2.
    """
    scenario = "scenarios/cellar.yaml"
    step = "          - say: cellar/opened\n"
    files = edited(scenario, step, step + "          - become: {condition: condition/insane}\n")

    assert [f for f in lint(load(files)) if "insane" in f.subject] == [
        f for f in lint(load(FILES)) if "insane" in f.subject
    ]
