"""The outdoors on the screen and in plain mode: grounds, lines, allies, curses, and secrets."""

import pytest

from client.games.first_edition.odds import odds, stakes
from client.games.first_edition.panes.board import outlook
from client.games.first_edition.panes.scene import FirstEditionScene
from client.locale import load
from client.locale.speaker import Speaker
from client.settings.preferences import Charset, MapSize
from protocol.common import events
from protocol.common.asks import Choice, Question
from protocol.common.text import Text
from protocol.games.first_edition import events as fe
from protocol.games.first_edition.table import CounterLine, Ending
from protocol.games.first_edition.words import INVESTIGATOR, KEEPER, Side, TaleKind
from tests.games.first_edition.client import wild
from tests.games.first_edition.client.kit import (
    ADA,
    ANN,
    KIM,
    REED,
    Night,
    game_of,
    lobby,
    opened,
    ui_of,
    view_of,
    words,
)
from tests.games.first_edition.client.test_plain import Desk

pytestmark = pytest.mark.issue(41)
VIEWERS = (KIM, ANN, None)


def scene_of(night: Night, seat: int | None, charset: Charset = Charset.ASCII) -> FirstEditionScene:
    speaker = Speaker(load("en", game="first_edition"), words())
    return FirstEditionScene(view_of(night, seat).table, seat, speaker, charset)


def whole_map(night: Night, charset: Charset = Charset.ASCII) -> list[str]:
    ui = ui_of(night, seat=ANN, charset=charset)
    ui.draw(60, 200)
    ui.press("w")
    return ui.draw(60, 200).plain().split("\n")


def shown(night: Night, seat: int | None) -> str:
    """Return all that a viewer can read: the table, its cards, its goal and its monsters."""
    found = ""
    for key in ("", "i", "o", "m"):
        ui = ui_of(night, seat=seat)
        ui.draw(60, 200)
        for pressed in key:
            ui.press(pressed)
        found += ui.draw(60, 200).plain()
    return f"{found} {' '.join(Desk(night, seat).type('journal'))}"


# The map -----------------------------------------------------------------------------------


@pytest.mark.rule("W-OUT-4", "W-OUT-5")
def test_an_outdoor_room_is_told_from_an_indoor_one_without_colours() -> None:
    lines = whole_map(wild.playing())

    road = next(line for line in lines if "Mill Road" in line)
    assert [part.strip("|")[:1] for part in road.strip().split(";")] == [",", ",", ","]
    hut = next(line for line in lines if "Boathouse" in line).strip()
    assert hut.startswith("|  ")
    assert any(", outdoors" in line for line in lines)


@pytest.mark.rule("W-WATER-1")
def test_water_is_drawn_at_both_sides_of_a_submerged_space() -> None:
    lines = whole_map(wild.playing())

    assert any("{~" in line and "~|" in line and "|~" in line and "~{" in line for line in lines)
    assert any("~ water" in line for line in lines)


@pytest.mark.rule("W-LIMIT-1", "W-LIMIT-5")
@pytest.mark.parametrize(
    ("charset", "limits", "borders"),
    [(Charset.ASCII, ";", "."), (Charset.BOXES, "┇┅", "┄")],
)
def test_a_room_limit_is_another_line_than_one_within_a_room(
    charset: Charset, limits: str, borders: str
) -> None:
    lines = whole_map(wild.playing(), charset)
    drawn = "\n".join(lines[:-4])

    assert all(char in drawn for char in (*limits, *borders))
    assert any(f"{limits} room limit" in line for line in lines)


def test_no_room_limit_is_drawn_where_no_room_is_outdoors() -> None:
    night = wild.playing()
    night.emit(fe.LandLaid((), ()))

    assert not any(";" in line for line in whole_map(night))


@pytest.mark.rule("W-LIMIT-2")
def test_an_impassable_room_limit_is_drawn_as_impassable() -> None:
    view = outlook(scene_of(wild.playing(), ANN), MapSize.FULL)
    assert view is not None
    board = view.within(60, 120).board

    lines = {glyph.char for (row, _), glyph in board.glyphs.items() if row == 6}
    assert "{" in lines
    assert ";" not in lines


@pytest.mark.rule("W-FEATURE-1", "W-FLY-1", "W-ALLY-3", "W-DECIDE-16")
@pytest.mark.parametrize(
    "entry",
    [
        *("> pit", ") boat", "_ passage under the bridge", "g' Grey Heron (flies)"),
        *("O+ Old Tobias", "#1 a card of the story"),
    ],
)
def test_the_legend_explains_each_sign_of_the_outdoors(entry: str) -> None:
    lines = whole_map(wild.playing())

    assert entry in "  ".join(" ".join(lines).split("  "))
    assert any(entry.split(maxsplit=1)[0] in line for line in lines[:40])


# People ------------------------------------------------------------------------------------


@pytest.mark.rule("W-PLAYER-2", "W-DECIDE-51")
def test_two_investigators_of_one_player_are_shown_as_such() -> None:
    screen = ui_of(wild.playing(), seat=ANN).draw(60, 200).plain()

    assert "Ada Lorne (Ann, 1 of 2)" in screen
    assert "Amos Reed (Ann, 2 of 2)" in screen


@pytest.mark.rule("W-CURSE-1", "W-PIT-4", "W-ALLY-5", "W-ALLY-6", "W-DECIDE-32")
@pytest.mark.parametrize("seat", VIEWERS)
def test_everybody_sees_states_of_investigators_and_allies(seat: int | None) -> None:
    screen = ui_of(wild.playing(), seat=seat).draw(60, 200).plain()

    assert "cursed 2, in a pit, mania face down" in screen
    assert "2 to tell" in screen
    assert "cursed 1, delusion face down" in screen


@pytest.mark.rule("W-WATER-2", "W-WATER-5")
@pytest.mark.parametrize(("space", "is_told"), [("mere/d", True), ("mere/h", False)])
def test_who_is_in_the_water_without_a_boat_is_told(space: str, is_told: bool) -> None:
    night = wild.playing()
    night.emit(fe.Moved(REED, space))

    assert ("in the water" in ui_of(night, seat=ANN).draw(60, 200).plain()) is is_told
    assert ("In the water." in " ".join(Desk(night, ANN).type("party"))) is is_told


# Curses beside the roll --------------------------------------------------------------------


@pytest.mark.rule("W-CURSE-3", "W-DECIDE-34")
@pytest.mark.parametrize("seat", VIEWERS)
def test_curses_stand_beside_a_roll_until_one_is_used(seat: int | None) -> None:
    night = wild.rolled()
    before = stakes(scene_of(night, seat))
    night.emit(fe.CurseUsed(ADA))

    assert before == ("The die shows 3, against 4.", "The keeper may use a curse (2).")
    assert stakes(scene_of(night, seat)) == ()


@pytest.mark.rule("W-CURSE-9", "W-DECIDE-24")
def test_a_curse_on_an_ally_is_told_before_the_roll() -> None:
    assert odds(scene_of(wild.declared(), KIM)) == (
        "A die of ten against strength: 3 or less passes (30%).",
        "The keeper may use a curse, and the test fails. Curses: 1.",
    )


@pytest.mark.rule("W-DECIDE-34")
def test_a_question_after_the_test_has_no_curse_beside_it() -> None:
    night = wild.rolled()
    test = game_of(night).test
    assert test is not None
    night.emit(fe.TestEnded(ADA, is_passed=True))
    question = Question(Text("ask/strike", (ADA,)), (Choice("2.0", Text("choice/no_curse")),))
    night.ask({KIM: question}, about=test.about, rule="K-DECIDE-31")

    assert stakes(scene_of(night, KIM)) == ()


# Secrets -----------------------------------------------------------------------------------


@pytest.mark.rule("W-SECRET-3", "W-KACTION-1", "W-EX-20")
def test_keeper_actions_face_down_are_read_by_the_keeper_alone() -> None:
    screens = {seat: shown(wild.playing(), seat) for seat in VIEWERS}

    for name in ("Rise", "Each investigator in the water"):
        assert {seat: name in screen for seat, screen in screens.items()} == {
            KIM: True,
            ANN: False,
            None: False,
        }
    assert all("2 actions face down" in screens[seat] for seat in (ANN, None))
    assert all("Smother" in screen for screen in screens.values())


@pytest.mark.rule("W-SECRET-3", "W-DECIDE-43", "W-DECIDE-45")
def test_the_keeper_reads_at_any_time_what_actions_face_down_cost() -> None:
    night = wild.playing()
    box = ui_of(night, seat=KIM)
    box.press("i")
    plain = " ".join(Desk(night, KIM).type("cards"))

    for screen in (ui_of(night, seat=KIM).draw(60, 200).plain(), box.draw(60, 200).plain(), plain):
        assert "threat 3, once a turn" in screen
    assert "threat 3" not in shown(night, ANN) + shown(night, None)


@pytest.mark.rule("W-SECRET-6", "W-STORY-5", "W-DECIDE-47")
def test_the_objective_of_the_investigators_is_read_by_them_alone() -> None:
    screens = {seat: shown(wild.playing(), seat) for seat in VIEWERS}

    for name in ("Let the River In", "The lamp."):
        assert {seat: name in screen for seat, screen in screens.items()} == {
            KIM: False,
            ANN: True,
            None: False,
        }
    assert "objective unknown" in screens[KIM]
    assert "You have to find out" in " ".join(Desk(wild.playing(), KIM).type("objective"))
    assert "do not speak of it here" in " ".join(Desk(wild.playing(), ANN).type("objective"))
    assert "Nobody else knows it" in " ".join(Desk(wild.playing(), None).type("objective"))


@pytest.mark.rule("W-STORY-5", "W-SECRET-6")
@pytest.mark.parametrize("is_revealed", [False, True])
def test_both_sides_of_a_voted_story_open_their_guides_again(is_revealed: bool) -> None:
    night = wild.playing()
    objective = game_of(night).objective
    assert objective is not None
    if is_revealed:
        night.emit(fe.ObjectiveRevealed(opened(night, objective), objective.value))

    for seat in VIEWERS:
        box = ui_of(night, seat=seat)
        box.press("o")
        for text in (
            " ".join(box.draw(60, 200).plain().split()),
            " ".join(Desk(night, seat).type("objective")),
        ):
            assert ("They know what you do not." in text) is (seat == KIM)
            assert ("The sluice is in the chapel." in text) is (seat == ANN)


@pytest.mark.parametrize("seat", VIEWERS)
def test_before_anybody_has_chosen_the_objective_nobody_is_said_to_know_it(
    seat: int | None,
) -> None:
    night = lobby()
    seated = ((KIM, KEEPER, ()), (ANN, INVESTIGATOR, (ADA,)), (2, INVESTIGATOR, (REED,)))
    night.emit(
        events.GameStarted(tuple(events.Player(*one) for one in seated)), fe.VariantsAgreed(())
    )

    said = " ".join(Desk(night, seat).type("objective"))
    assert "It is chosen in the setup" in said
    assert "keeper knows" not in said


def test_after_a_voted_story_the_keeper_reads_the_objective_and_need_not_find_it_out() -> None:
    night = wild.playing()
    objective = game_of(night).objective
    assert objective is not None
    night.emit(fe.ObjectiveRevealed(opened(night, objective), objective.value))
    night.emit(fe.GameEnded(Ending((Side.KEEPER,), Text("ending/flood/keeper"))))

    said = " ".join(Desk(night, KIM).type("objective"))
    assert "Let the River In" in said
    assert "You have to find out" not in said
    assert "They know what you do not." not in said


def test_in_a_game_closed_before_its_end_the_keeper_need_not_find_the_objective_out() -> None:
    night = wild.playing()
    night.emit(events.RoomClosed((), events.HowClosed.GIVEN_UP))

    assert "Nobody else knows it." in " ".join(Desk(night, KIM).type("objective"))


@pytest.mark.rule("W-SECRET-10", "W-SECRET-11")
@pytest.mark.parametrize(
    ("name", "knowers"),
    [("Closed Lids", {KIM, ANN}), ("Bells at Noon", {KIM}), ("A Path in the Reeds", {KIM})],
)
def test_a_card_of_the_story_is_read_by_those_who_know_it(name: str, knowers: set[int]) -> None:
    assert {seat for seat in VIEWERS if name in shown(wild.playing(), seat)} == knowers


@pytest.mark.rule("W-SECRET-9")
def test_what_an_ally_has_not_told_is_read_by_nobody() -> None:
    screens = [shown(wild.playing(), seat) for seat in VIEWERS]

    assert all("Two Pairs of Oars" in screen for screen in screens)
    assert not any("The Lamp Beneath" in screen for screen in screens)


def told_more() -> Night:
    """Return the evening after two more tales of the ferryman, the last kept by Amos Reed."""
    night = wild.playing()
    for card, kind, holder in (
        ("tale/lamp", TaleKind.INFORMATION, REED),
        ("tale/debt", TaleKind.EVENT, None),
    ):
        sealed = game_of(night).tales[wild.TOBIAS][0]
        night.emit(fe.TaleTold(wild.TOBIAS, opened(night, sealed), card, kind, holder))
    return night


@pytest.mark.rule("W-DECIDE-32", "W-CARD-8")
def test_tales_are_read_by_ally_with_their_kind_and_who_keeps_them() -> None:
    listed = (
        "Two Pairs of Oars (rumour), The Lamp Beneath (information, kept by Amos Reed), "
        "What He Owes (event)"
    )
    pane = " ".join(ui_of(told_more(), seat=ANN).draw(120, 200).plain().split())
    box = ui_of(told_more(), seat=ANN)
    box.press("o")
    read = box.draw(60, 200).plain()
    plain = Desk(told_more(), ANN)

    assert f"Told: {listed}." in " ".join(plain.type("party"))
    assert read.index("Told by Old Tobias") < read.index("Two Pairs of Oars (rumour)")
    assert "kept by Amos Reed" in pane
    assert f"Old Tobias told: {listed}" in " ".join(Desk(told_more(), KIM).type("objective"))


@pytest.mark.rule("W-DECIDE-32")
@pytest.mark.parametrize(
    "line",
    [
        "Old Tobias repeats a rumour: Two Pairs of Oars",
        "Old Tobias shares information: ",
        "Old Tobias talks, and an event follows: ",
        "Amos Reed keeps the card.",
    ],
)
def test_the_journal_tells_the_kind_of_a_tale_and_who_keeps_it(line: str) -> None:
    assert line in " ".join(Desk(told_more(), None).type("journal"))


@pytest.mark.rule("W-DECIDE-32")
def test_a_kept_tale_is_among_the_cards_of_its_holder_until_the_holder_dies() -> None:
    night = told_more()
    has = next(line for line in Desk(night, KIM).type("party") if line.startswith("Amos Reed"))
    night.emit(fe.InvestigatorKilled(REED, returns=True))
    after = " ".join(Desk(night, KIM).type("party"))

    assert "Lamp" in has
    assert "(information)" in after
    assert "kept by" not in after


# Plain mode --------------------------------------------------------------------------------


@pytest.mark.rule("W-BARRIER-1", "W-LIMIT-1", "W-DECIDE-16")
def test_a_space_says_its_ground_its_lines_and_its_links() -> None:
    desk = Desk(wild.stepping(), ANN)

    mere = desk.type("map mere 1")[0]
    assert mere.startswith("Mere (1). Here: water, Grey Heron (flies).")
    assert "Leads to: Mere (2) (passage under the bridge)." in mere
    assert mere.endswith("Across a barrier: Meadow (2), Mill Road, Yard.")
    road = desk.type("map mill")[0]
    assert road.startswith("Mill Road. Here: outdoors, Old Tobias, hearth.")
    assert "Alder Wood (room limit)" in road
    assert "Here: outdoors, 1 exploration card, trail face down." in desk.type("map wood")[0]
    assert "outdoors" not in desk.type("map boathouse")[0]


def test_the_party_has_its_allies() -> None:
    lines = Desk(wild.stepping(), ANN).type("party")

    assert (
        "Widow Harrow, an ally: Yard. Health 2 of 3, sanity 1 of 3. Cursed: 1 token. "
        "Cards of the story before them: delusion face down. Nothing left to tell." in lines
    )
    assert any(line.startswith("Old Tobias, an ally: Mill Road.") for line in lines)
    assert "Keeper actions face down: 2." in lines


def test_an_ally_is_typed_by_its_name() -> None:
    desk = Desk(wild.talking(), ANN)

    desk.type("harrow")

    assert desk.answers == [("1.1",)]


def test_curses_are_told_before_the_question() -> None:
    lines = Desk(wild.rolled(), KIM).printed

    assert "The die shows 3, against 4." in lines
    assert "The keeper may use a curse, and the die is rolled again. Curses: 2." in lines


# The counters of a story -----------------------------------------------------------------------


def counted(seat: int | None) -> str:
    """Return the table of a story with a long scale, a short one, and one of a single step."""
    night = wild.playing()
    game = game_of(night)
    counters = {
        "few": CounterLine(2, 31, name="counter/short"),
        "undone": CounterLine(0, 1, name="counter/undone"),
        "longest": CounterLine(0, 97, name="counter/long"),
    }
    night.emit(fe.KeeperEquipped(game.threat, 0, game.actions, counters, 3))
    return ui_of(night, seat=seat).draw(60, 200).plain()


@pytest.mark.parametrize("seat", VIEWERS)
def test_the_longest_scale_of_a_story_comes_first(seat: int | None) -> None:
    screen = counted(seat)

    assert screen.index("0/97") < screen.index("2/31")


def test_what_happens_once_is_counted_beside_the_map_when_it_has_happened() -> None:
    assert "0/1" not in counted(ANN)
