"""Loader: a pack is read with typed references, and each mistake names its place and what to do."""

import pytest

from protocol.games.first_edition.words import AttackKind
from tests.games.first_edition.content.packs import FILES, HOUSE, edited, load, mistakes_in, worded


def test_tiny_pack_is_read() -> None:
    pack = load(worded(FILES))

    house = pack.scenarios["tiny/house"]
    assert house.cards_under("room/cellar", {"goal": "flood", "place": "well"}) == ("clue/diary",)
    assert pack.items["item/spade"].weapon is not None
    assert pack.combat["combat/b4"].upper.kind is AttackKind.RANGED
    assert pack.catalogs["fr"]["house/goal"]["name"] == "house/goal"


@pytest.mark.parametrize(
    ("file", "old", "new", "told"),
    [
        (
            "traits.yaml",
            "item: item/lamp",
            "item: item/lamb",
            (
                "traits.yaml:3:9: trait/quick.item: there is no item 'item/lamb'; "
                "did you mean 'item/lamp'?"
            ),
        ),
        (
            HOUSE,
            "cards: [item/spade, clue/letter]",
            "cards: [item/spade, clue/letters]",
            (
                f"{HOUSE}:46:25: placement[0].cards[1]: there is no item, clue or obstacle "
                "'clue/letters'; did you mean 'clue/letter'?"
            ),
        ),
        (
            HOUSE,
            "- room: room/hall",
            "- room: room/hal",
            (
                f"{HOUSE}:45:11: placement[0].room: there is no room 'room/hal'; "
                "did you mean 'room/hall'?"
            ),
        ),
        (
            "mythos.yaml",
            "within: room/hall",
            "within: room/hal",
            (
                "mythos.yaml:3:50: mythos/chill.requires.investigators.within: "
                "it comes into tiny/house: there is no space or room 'room/hal'; "
                "did you mean 'room/hall'?"
            ),
        ),
        (
            "actions.yaml",
            "tokens: {blood: 1}",
            "tokens: {mud: 1}",
            (
                "actions.yaml:7:12: action/brood.tokens.mud: it comes into tiny/house: "
                "there is no token of the keeper or counter 'mud'; known: blood"
            ),
        ),
        (
            HOUSE,
            "when: {place: shelf}\n  - room: room/library",
            "when: {place: flood}\n  - room: room/library",
            f"{HOUSE}:51:5: placement[2].when: 'flood' is no option of 'place'; known: shelf, well",
        ),
        (
            "mythos.yaml",
            "face_down: explored",
            "requires: {answer: {question: goal, option: flood}}",
            (
                "mythos.yaml:6:33: mythos/whisper.requires.answer.question: "
                "a question belongs to one scenario; only it can name it"
            ),
        ),
    ],
)
def test_what_does_not_exist_is_told_with_its_place(
    file: str, old: str, new: str, told: str
) -> None:
    assert told in mistakes_in(edited(file, (old, new)))


def test_card_that_no_story_uses_may_name_any_room() -> None:
    """A pack that builds on a box takes its cards, but not the stories whose rooms they name."""
    files = edited(HOUSE, ("mythos: [mythos/chill, mythos/whisper]", "mythos: [mythos/whisper]"))
    files["mythos.yaml"] = files["mythos.yaml"].replace(b"room/hall", b"room/moon")

    assert mistakes_in(files) == ()


@pytest.mark.parametrize("subject", ["house/goal", "house/flood", "house/blood", "guide/swarm"])
def test_words_of_a_story_are_wanted(subject: str) -> None:
    files = worded(FILES)
    for language in ("en", "fr"):
        name = f"words/{language}/all.yaml"
        lines = files[name].decode().splitlines(keepends=True)
        files[name] = "".join(x for x in lines if not x.startswith(f"{subject}:")).encode()

    (told,) = mistakes_in(files)

    assert told.startswith(HOUSE)
    assert f"no words for '{subject}'" in told


def test_word_that_one_language_lacks_is_told() -> None:
    files = worded(FILES)
    name = "words/fr/all.yaml"
    lines = files[name].decode().splitlines(keepends=True)
    files[name] = "".join(x for x in lines if not x.startswith("house/intro:")).encode()

    (told,) = mistakes_in(files)

    assert told.startswith("words/en/all.yaml:")
    assert told.endswith("house/intro: missing in 'fr'; translate it")
