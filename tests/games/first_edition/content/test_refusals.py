"""Stories that cannot be played with all answers of the keeper are refused."""

import pytest

from content.games.first_edition.answers import sets_of, shown
from tests.games.first_edition.content.packs import FILES, HOUSE, edited, load, mistakes_in, worded

FLOOD_SHELF, SWARM_WELL = "{goal: flood, place: shelf}", "{goal: swarm, place: well}"


def told(*changes: tuple[str, str]) -> str:
    """Return the one mistake in the story after some changes, without its place."""
    (found,) = mistakes_in(edited(HOUSE, *changes))
    return found.partition(" ")[2]


def test_all_sets_of_answers_are_gone_through() -> None:
    sets = [shown(one) for one in sets_of(load(worded(FILES)).scenarios["tiny/house"])]

    assert sets == [
        FLOOD_SHELF,
        "{goal: flood, place: well}",
        "{goal: swarm, place: shelf}",
        SWARM_WELL,
    ]


@pytest.mark.rule("K-DECIDE-101", "K-EX-28")
def test_room_with_another_number_of_cards_is_refused_with_both_answers() -> None:
    row = "  - {room: room/library, cards: [nothing], when: {goal: swarm}}\nclues:\n"

    assert told(("clues:\n", row)) == (
        "placement: room/library has 3 cards for {goal: flood, place: shelf} and 4 for "
        "{goal: swarm, place: shelf}; what lies open must be the same for all answers "
        "(K-DECIDE-101)"
    )


@pytest.mark.rule("K-DECIDE-101")
def test_lock_for_some_answers_only_is_refused() -> None:
    change = ("lock: lock/cellar}", "lock: lock/cellar, when: {goal: flood}}")

    assert told(change) == (
        "locks: room/cellar has 1 locks for {goal: flood, place: shelf} and 0 for "
        "{goal: swarm, place: shelf}; what lies open must be the same for all answers "
        "(K-DECIDE-101)"
    )


@pytest.mark.rule("K-DECIDE-102", "K-EX-28")
def test_question_that_is_asked_only_after_an_answer_is_refused() -> None:
    third = "  - id: hour\n    when: {goal: flood}\n    options: [{id: noon}, {id: dusk}]\n"

    found = mistakes_in(edited(HOUSE, ("objectives:\n  - id", f"{third}objectives:\n  - id")))

    assert any(
        one.endswith("questions.hour.when: unknown key 'when'; known: by_vote, id, options")
        for one in found
    )


@pytest.mark.rule("K-DECIDE-102")
def test_option_that_is_offered_only_after_an_answer_is_refused() -> None:
    found = mistakes_in(edited(HOUSE, ("{id: well}", "{id: well, when: {goal: flood}}")))

    assert any("unknown key 'when'; known: id" in one for one in found)


@pytest.mark.rule("K-SETUP-3", "K-DECIDE-5")
@pytest.mark.parametrize("option", ["shelf", "flood"])
def test_answers_that_select_two_objectives_are_refused(option: str) -> None:
    """The option of another question may be given together with that of the first objective."""
    assert told(("option: swarm", f"option: {option}")) == (
        f"objectives: {FLOOD_SHELF} selects objective/flood and objective/swarm; "
        "exactly one must be selected"
    )


@pytest.mark.rule("K-SETUP-3")
def test_answers_without_an_objective_are_refused() -> None:
    found = told(("[{id: flood}, {id: swarm}]", "[{id: flood}, {id: swarm}, {id: goal}]"))

    assert found == (
        "objectives: {goal: goal, place: shelf} selects no objective; exactly one must be selected"
    )


@pytest.mark.rule("K-DECIDE-104")
def test_lock_on_the_room_of_the_start_is_refused() -> None:
    found = told(("{room: room/cellar, lock", "{room: room/hall, lock"))

    assert found == "locks: investigators start in room/hall; it can have no lock (K-DECIDE-104)"


@pytest.mark.rule("K-DECIDE-38")
@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (("number: 2", "number: 3"), "clues: number the clues 2 to 1, each once; these are 3, 1"),
        (("number: 2", "number: 1"), "clues: number the clues 2 to 1, each once; these are 1, 1"),
        (
            ("cards: [item/spade, clue/letter]", "cards: [item/spade, nothing]"),
            f"placement: clue/letter lies nowhere for {FLOOD_SHELF}; it must lie once",
        ),
        (
            ("cards: [item/spade, clue/letter]", "cards: [clue/letter, clue/letter]"),
            f"placement: clue/letter lies 2 times for {FLOOD_SHELF}; it must lie once",
        ),
        (
            (
                "    cards: [clue/diary]\n    when: {place: well}",
                "    cards: [nothing]\n    when: {place: well}",
            ),
            "placement: clue/diary lies nowhere for {goal: flood, place: well}; it must lie once",
        ),
    ],
)
def test_clues_are_numbered_down_to_one_and_lie_once(change: tuple[str, str], reason: str) -> None:
    assert told(change) == reason


@pytest.mark.rule("K-CARD-8", "K-CARD-11")
@pytest.mark.parametrize(
    ("new", "reason"),
    [
        (
            "cards: [item/key, clue/letter]",
            f"item/key lies 2 times for {FLOOD_SHELF}; there is one",
        ),
        ("cards: [item/lamp, clue/letter]", "item/lamp is a starting item; no room hides it"),
    ],
)
def test_item_lies_once_and_a_starting_item_nowhere(new: str, reason: str) -> None:
    assert told(("cards: [item/spade, clue/letter]", new)) == f"placement: {reason}"


@pytest.mark.rule("K-DECIDE-66")
def test_objective_without_a_winner_on_the_last_event_is_refused_if_that_ends_the_game() -> None:
    none = ("on_last_event: keeper", "on_last_event: none")

    assert told(none) == (
        "objectives: objective/flood names nobody who wins on the last event, with which this "
        "story ends (K-DECIDE-66)"
    )
    goes_on = ("locks:\n", "event_exhaustion: continue\nlocks:\n")
    assert mistakes_in(edited(HOUSE, none, goes_on)) == ()


@pytest.mark.rule("K-SUPPLY-5", "K-DECIDE-61")
def test_more_monsters_than_figures_are_refused() -> None:
    rat = "  - {kind: monster/rat, at: house/d}\n"

    assert told((rat, rat * 4)) == (
        "monsters: 4 of monster/rat are laid; there are 3 figures (K-SUPPLY-5)"
    )


@pytest.mark.rule("K-DECIDE-9")
def test_too_few_investigators_are_refused() -> None:
    found = told(("most_investigators: 1", "most_investigators: 2"))

    assert found == "most_investigators: 1 investigators for 2 players; name more"


@pytest.mark.rule("K-DECIDE-105")
def test_action_that_costs_what_is_no_token_is_refused() -> None:
    found = told(("is_token: true, most", "most"))

    assert found == (
        "counters: action/brood costs 'blood', which is no token; write 'is_token: true' "
        "(K-DECIDE-105)"
    )


def test_too_many_sets_of_answers_are_refused() -> None:
    many = "".join(f"  - {{id: q{n}, options: [{{id: a{n}}}, {{id: b{n}}}]}}\n" for n in range(8))
    files = edited(HOUSE, ("objectives:\n  - id", f"{many}objectives:\n  - id"))
    words = "".join(f"house/{a}{n}: x\n" for n in range(8) for a in "qab").encode()
    for language in ("en", "fr"):
        files[f"words/{language}/more.yaml"] = words

    (found,) = mistakes_in(files)

    assert found.endswith("questions: 1024 sets of answers; at most 500 are allowed")


@pytest.mark.rule("K-DECIDE-10")
def test_deck_too_large_for_one_record_is_refused() -> None:
    text = FILES[HOUSE].decode()
    deck = next(line for line in text.split("\n") if line.startswith("mythos: ["))
    cards = deck.removeprefix("mythos: [").removesuffix("]").split(", ")
    many = ", ".join(cards * (301 // len(cards) + 1))

    reason = told((deck, f"mythos: [{many}]"))

    assert "cards in the deck mythos; at most 300 are allowed" in reason


@pytest.mark.rule("K-DECIDE-10", "W-DECIDE-50")
def test_story_deck_too_large_for_one_record_is_refused() -> None:
    cards = ", ".join(f"{{id: trail/t{number}, copies: 9}}" for number in range(34))

    out = "outdoor: true\nevent_exhaustion: continue\nminutes: "

    reason = told(("minutes: ", f"decks: [{{deck: trail, cards: [{cards}]}}]\n{out}"))

    assert "306 cards in the deck trail; at most 300 are allowed" in reason
