"""Commands of plain mode: what each prints, and what it sends."""

import re
from collections.abc import Callable
from typing import Any

import attrs
import pytest

from client.games.cards.keys import BAG, LOCATIONS
from client.games.second_edition.keys import MONSTERS, OBJECTIVE
from client.keymap.keys import USUAL, Action
from client.locale import LANGUAGES, load
from client.model.lobby import Pending
from client.model.model import ANY_SEAT
from client.model.status import Disconnected, Online
from client.plain.commands import by_name
from client.plain.game_commands import commands_for
from protocol.common import events
from protocol.common.asks import RefusedChoice
from protocol.common.events import ProductsSwitched
from protocol.common.table import Observer, Proposal, Settings
from protocol.common.text import Text
from protocol.games.second_edition import events as se
from protocol.games.second_edition.table import Feature, FeatureKind, Token, TokenKind
from protocol.invitation import code_text
from protocol.keys import fingerprint_text
from protocol.messages import OpenTable
from tests.games.second_edition.client.console import COMMANDS, Console
from tests.games.second_edition.client.scripted import (
    ROOM,
    Script,
    action_question,
    agreeing,
    asked,
    coding,
    lobby,
    playing,
)

CODE = "68p6-70ea-5akq-0gf8"


@pytest.mark.rule("SETUP-5")
def test_products_are_listed_and_switched() -> None:
    script = lobby()
    script.emit(ProductsSwitched(("product/flood",)), origin=0)
    console = Console(script)

    assert console.type("products")[:2] == ["1. High Flood: off", "2. Low Ebb: on"]
    assert not any("Vera" in line for line in console.type("claim"))
    console.type("products 2")
    assert console.port.said == [("switch_products", ("product/flood", "product/ebb"))]


def test_campaign_goes_on() -> None:
    console = Console(lobby())

    console.type("campaign")

    assert console.port.said == [("continue_campaign",)]


@pytest.mark.rule("APP-8")
@pytest.mark.rule("DECIDE-49")
def test_damage_is_proposed_by_number() -> None:
    console = Console(asked())

    assert console.type("correct")[:2] == [
        "1. Tallyman: damage 1 of 3",
        "2. Tallyman 1: damage 0 of 3",
    ]
    assert console.type("correct 1 9") == ["Type its damage after it, from 0 to 3."]
    console.type("correct 2 3")
    assert console.port.said == [("propose_correction", "m2", 3)]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("say  hello there ", ("chat", "hello there")),
        ("agree", ("consent", 0, True)),
        ("refuse", ("consent", 0, False)),
        ("resume", ("resume",)),
        ("leave", ("leave_table",)),
        ("give 2 bot", ("propose_give_seat", 1, True)),
        ("give 2", ("propose_give_seat", 1, False)),
        ("give bob", ("propose_give_seat", 1, False)),
        ("give bob bot", ("propose_give_seat", 1, True)),
        ("correct 2 3", ("propose_correction", "m2", 3)),
        ("correct tallyman 1 3", ("propose_correction", "m2", 3)),
        ("invite watch", ("invite", True)),
        ("language FR", ("set_language", "fr")),
        ("language engl", ("set_language", "en")),
    ],
)
def test_commands_speak_through_the_port(line: str, said: tuple[Any, ...]) -> None:
    script = playing()
    script.emit(events.Proposed(Proposal(0, "take_back", 1, 42)))
    script.emit(events.PausedSet(is_paused=True))
    console = Console(script)

    console.type(line)

    assert console.port.said[0] == said


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("say hello", ("chat", "hello")),
        ("bot", ("add_bot", "")),
        ("start", ("start_game", 0, b"")),
        ("ready", ("set_ready", True, 0, b"")),
        ("unready", ("set_ready", False, 0, b"")),
        ("claim ada, vera", ("claim_pieces", ("investigator/ada", "investigator/vera"))),
        ("claim 3", ("claim_pieces", ("investigator/vera",))),
        ("claim 3 1", ("claim_pieces", ("investigator/vera", "investigator/ada"))),
        ("claim 0", ("claim_pieces", ())),
        ("scenario 1", ("choose_scenario", "core/sluice")),
        ("scenario sluice", ("choose_scenario", "core/sluice")),
        ("campaign", ("continue_campaign",)),
        (f"setup {CODE}", ("fix_setup", CODE)),
        ("setup 0", ("fix_setup", "")),
        ("invite", ("invite", False)),
        ("invite watch", ("invite", True)),
        ("stand", ("leave_seat",)),
        ("leave", ("leave_table",)),
    ],
)
def test_commands_before_a_game_speak_through_the_port(line: str, said: tuple[Any, ...]) -> None:
    console = Console(lobby())

    console.type(line)

    assert console.port.said[0] == said


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("tables", ("list_scenarios",)),
        ("enter", ("enter", "room-1")),
        ("enter 3", ("enter", "room-9")),
        (f"join {CODE}", ("join_table", CODE)),
        (f"watch {CODE}", ("watch_table", CODE)),
        (f"manse join {CODE}", ("join_table", CODE)),
        (f"manse watch {CODE}", ("watch_table", CODE)),
        ("open", ("open_table", Settings(), "core/sluice", "")),
        ("open sluice house", ("open_table", Settings(), "core/sluice", "")),
        ("open 1 watch", ("open_table", Settings(spectators=True), "core/sluice", "")),
        ("open 1 limit 2", ("open_table", Settings(time_limit_seconds=120), "core/sluice", "")),
        ("open sluice house watch", ("open_table", Settings(spectators=True), "core/sluice", "")),
        (
            "open 1 later 5 noback",
            (
                "open_table",
                Settings(spectators=True, spectators_delay_seconds=300, takebacks=False),
                "core/sluice",
                "",
            ),
        ),
        (
            f"open 1 observer Rea {fingerprint_text(b'r' * 32)} 5 noback",
            (
                "open_table",
                Settings(takebacks=False, observers=(Observer("Rea", b"r" * 32, 300),)),
                "core/sluice",
                "",
            ),
        ),
    ],
)
def test_commands_of_the_lobby_speak_through_the_port(line: str, said: tuple[Any, ...]) -> None:
    console = Console(None, is_lobby=True)

    console.type(line)

    assert console.port.said[0] == said


@pytest.mark.parametrize(
    "line",
    [
        "open 2",
        "open palace",
        "open 1 limit",
        "open 1 limit 99999999",
        "open 1 observer Rea",
        "open 1 observer Rea x 5",
        "join",
        "manse x",
    ],
)
def test_what_the_lobby_cannot_do_is_told(line: str) -> None:
    console = Console(None, is_lobby=True)

    assert len(console.type(line)) == 1
    assert not console.port.said


def _in_the_lobby() -> Console:
    """Return a console in a lobby with several scenarios."""
    console = Console(None, is_lobby=True)
    console.model.update_lobby(scenarios=(console.model.lobby.scenarios or ()) * 2)
    return console


@pytest.mark.issue(14)
@pytest.mark.parametrize(
    ("lists", "meant"),
    [("tables", "enter 1"), ("open", "open 1"), ("tables open", "open 1")],
)
def test_in_the_lobby_a_number_alone_means_that_of_the_list_told_last(
    lists: str, meant: str
) -> None:
    bare, spelled = _in_the_lobby(), _in_the_lobby()
    bare.type(*lists.split())
    spelled.type(*lists.split())

    assert bare.type("1") == spelled.type(meant)
    assert bare.port.said == spelled.port.said
    assert bare.port.said[-1][0] in {"enter", "open_table"}


@pytest.mark.issue(14)
@pytest.mark.parametrize(
    ("lists", "meant"), [("lobby", "claim 2 1"), ("claim", "claim 2 1"), ("scenario", "scenario 1")]
)
def test_before_a_game_numbers_alone_mean_those_of_the_list_told_last(
    lists: str, meant: str
) -> None:
    bare, spelled = Console(lobby()), Console(lobby())
    bare.type(lists)

    assert bare.type(meant.partition(" ")[2]) == spelled.type(meant)
    assert bare.port.said == spelled.port.said != []


@pytest.mark.issue(14)
def test_a_number_means_nothing_once_something_else_was_typed() -> None:
    console = _in_the_lobby()
    console.type("open", "help enter")

    assert console.type("1") == ["“1” means nothing here; type help to see what does."]
    assert all(said[0] != "open_table" for said in console.port.said)


def test_going_back_is_proposed_by_number() -> None:
    """Moments are listed latest first, without the present one."""
    script = playing()
    console = Console(script)

    printed = console.type("back")
    console.type("back 1")

    assert printed[0].startswith("1. Round 1, Investigator phase")
    ((_, checkpoint),) = console.port.said
    assert checkpoint == sorted(script.table.checkpoints)[-2]


def test_the_board_is_described_in_words() -> None:
    printed = Console(playing()).type("map")

    assert printed[0] == (
        "Hall (1). Here: Ada Lorne, Amos Reed, Tallyman. Leads to: Hall (2), Kitchen (door, south)."
    )
    assert printed[2] == (
        "Kitchen. Here: person token. Leads to: Hall (1) (door, north), an unexplored door."
    )


def test_blocked_doors_and_secret_passages_are_described_in_words() -> None:
    script = playing()
    passages = [
        Feature(f"secret_passage/{space}", FeatureKind.SECRET_PASSAGE, space)
        for space in ("hall/b", "study/c")
    ]
    barricade = Feature("barricade/hall/b", FeatureKind.BARRICADE, "hall/b", "hall/1")
    for feature in (*passages, barricade):
        script.emit(se.FeaturePlaced(feature))

    printed = Console(script).type("map")
    assert "secret passage, barricade. Leads to" in printed[1]
    assert "Study (1) (door, east, barricaded)" in printed[1]
    assert "Parlour (" not in printed[1]

    script.emit(se.BarricadeShifted("barricade/hall/b", "secret_passage/hall/b"))
    printed = Console(script).type("map")
    assert "secret passage (barricaded), barricade. Leads to" in printed[1]
    assert "Study (1) (door, east)" in printed[1]


@pytest.mark.parametrize(
    ("typed", "rooms"),
    [
        ("map tallyman", ["Hall (1)", "Study (1)"]),
        ("map vera", ["Hall (2)"]),
        ("map secret passage", ["Hall (2)"]),
        ("map hall", ["Hall (1)", "Hall (2)"]),
        ("map person", ["Kitchen"]),
    ],
)
def test_the_board_tells_where_somebody_or_something_is(typed: str, rooms: list[str]) -> None:
    script = playing()
    script.emit(se.FeaturePlaced(Feature("p", FeatureKind.SECRET_PASSAGE, "hall/b")))

    assert [line.partition(".")[0] for line in Console(script).type(typed)] == rooms


@pytest.mark.rule("TOKEN-6")
def test_a_person_without_a_name_is_said_to_have_none() -> None:
    script = playing()
    script.emit(se.TokenPlaced(Token("token/guest", TokenKind.PERSON, "hall/c", is_anonymous=True)))

    kitchen = Console(script).type("map")[2]

    assert kitchen.startswith("Kitchen. Here: person token, unnamed person token.")


def test_features_are_described_in_words() -> None:
    script = playing()
    script.emit(se.FeaturePlaced(Feature("fire/hall/c", FeatureKind.FIRE, "hall/c")))

    assert "Kitchen. Here: person token, fire. Leads to:" in Console(script).type("map")[2]


def test_the_party_is_described_in_words() -> None:
    printed = Console(playing()).type("party")

    assert printed[0] == (
        "Ada Lorne (Ann): Hall (1). Damage 1 of 7, Horror 1 of 6, 0 Clues. "
        "Conditions: Insane. Faceup: Sprain."
    )
    assert printed[2].endswith("2 Clues. Conditions: Wounded. Has: Lantern.")
    assert printed[-2:] == [
        "Tallyman, a monster: Hall (1). Damage 1 of 3.",
        "Tallyman 1, a monster: Study (1). Damage 0 of 3.",
    ]


def test_what_is_left_of_fighting_fire_is_said() -> None:
    script = playing()
    script.emit(se.FireFought("investigator/ada", 2))

    assert "Can put out 2 fires this round." in Console(script).type("party")[0]


def test_refused_choices_are_told_with_their_rule() -> None:
    assert Console(asked()).type("why") == [
        "Not now: Trade. nobody is in your space",
        "Rule TRADE-1, Who takes part: A trade is for everybody in one space, and for nobody else.",
    ]


def refusing() -> Script:
    """Return a game with several refused choices, one by a rule without words."""
    script = playing()
    question = action_question()
    more = RefusedChoice(Text("choice/search"), Text("refuse/alone"), "MOVE-9")
    question = attrs.evolve(question, refused=(*question.refused, more))
    script.ask({0: question}, about=Text("ask/action", ("investigator/ada", 2)))
    return script


def test_of_several_refused_choices_each_is_explained_by_number_or_words() -> None:
    console = Console(refusing())
    listed = console.type("why")
    trade = console.type("why 1")

    assert [line[:3] for line in listed[:-1]] == ["1. ", "2. "]
    assert listed[-1] == "why NUMBER explains the rule that refuses it."
    assert trade == Console(asked()).type("why")
    for line in ("why trade", "? 1", "? trade", "help trade", "why 1"):
        assert console.type(line) == trade
    assert console.type("why 2") == ["Not now: Search the coats. nobody is in your space"]
    assert console.type("why 3") == ["There is no choice 3; they go from 1 to 2."]


def test_who_types_what_is_refused_is_told_why() -> None:
    """Nothing is sent to the server."""
    console = Console(asked())

    assert console.type("trade") == ["Not now: Trade. nobody is in your space"]
    assert not console.port.said


def test_the_journal_is_repeated_by_round() -> None:
    console = Console(playing())

    second = console.type("journal 2")

    assert second[0] == "Round 2"
    assert len(console.type("journal")) > len(second)


def test_the_back_of_an_insane_card_is_its_owners_alone() -> None:
    """Both the journal and the cards are tested."""
    owner, other = Console(playing(), seat=0), Console(playing(), seat=1)

    assert any("You win if the house burns." in line for line in owner.type("cards"))
    assert not [line for line in other.type("cards", "journal") if "burns" in line]


@pytest.mark.parametrize(
    ("make", "language"),
    [
        (lobby, "fr"),
        (asked, "en"),
        (agreeing, "fr"),
        (coding, "en"),
        (None, "fr"),
        *(
            pytest.param(make, language, marks=pytest.mark.long)
            for make, language in (
                *((make, "en") for make in (lobby, agreeing, None)),
                *((make, "fr") for make in (asked, coding)),
            )
        ),
    ],
)
def test_every_command_says_something_sensible(
    make: Callable[[], Script] | None, language: str
) -> None:
    for name in COMMANDS:
        console = Console(make() if make else None, language=language, is_lobby=make is None)
        for argument in ("", " 1", " x", " 99"):
            printed = console.type(load(language).say(f"plain.word.{name}") + argument)

            # A key without words is shown in brackets, as any subject without words is.
            missing = [li for li in printed if re.search(r"<(plain|wrong|box|error|status)\.", li)]
            assert not missing


def test_the_words_of_commands_differ_from_one_another() -> None:
    for language in LANGUAGES:
        words = [load(language).say(f"plain.word.{name}") for name in COMMANDS]

        assert len(set(words)) == len(words)
        for word, name in zip(words, COMMANDS, strict=True):
            assert word not in set(COMMANDS) - {name}


# Reading ------------------------------------------------------------------------------------


def test_one_room_is_described() -> None:
    console = Console(playing())

    assert [line.partition(".")[0] for line in console.type("map hall")] == ["Hall (1)", "Hall (2)"]
    assert len(console.type("map kitchen")) == 1
    assert console.type("map kitchn") == ["“kitchn” means nothing here. Close to it: 3 Kitchen"]


def test_the_board_is_drawn_for_who_asks() -> None:
    """The map is drawn in ASCII."""
    console = Console(playing())

    drawn = console.type("draw")

    assert any(line.startswith("+---") for line in drawn)
    assert "A Ada Lorne" in "\n".join(drawn)
    assert all(line.isascii() for line in drawn)
    assert max(map(len, drawn)) < 80
    assert not [line for line in console.type("map") if "+--" in line]


def test_what_is_around_is_described() -> None:
    near = [line.partition(".")[0] for line in Console(playing()).type("look")]
    looking_on = [line.partition(".")[0] for line in Console(playing(), seat=None).type("look")]

    assert near == ["Hall (1)", "Hall (2)", "Kitchen"]
    assert looking_on == near


def test_one_card_is_read() -> None:
    console = Console(playing())

    assert console.type("cards lantern") == [
        "Lantern",
        "Item, Vera Sand",
        "Once per round, reroll one die of observation.",
    ]
    assert console.type("cards ada")[0] == "Ada Lorne"
    assert not [line for line in console.type("cards") if line.startswith(("*", "#", " "))]
    assert console.type("cards crown")[0].startswith("“crown” means nothing here")


def test_investigators_are_read_before_the_game() -> None:
    console = Console(lobby())

    assert console.type("cards ada") == ["Ada Lorne", "A diver who came home with a limp."]
    assert len(console.type("cards")) == 6


def test_one_monster_is_read() -> None:
    console = Console(playing())

    assert console.type("monsters") == [
        "1. Tallyman",
        "2. Tallyman 1",
        "monsters NUMBER tells all about one.",
    ]
    assert console.type("monsters tallyman 1") == console.type("monsters 2")
    assert "Damage 0 of 3, awareness 2, horror 1, brawn 2" in console.type("monsters 2")


@pytest.mark.parametrize("seat", [0, 1])
def test_the_rule_behind_the_question_is_explained(seat: int) -> None:
    name = "Rule TURN-2, Taking a turn: "
    text = "Two actions are yours, the same one twice if you like. What you leave is lost."

    assert Console(asked(), seat=seat).type("rule") == [name + text]


def test_what_led_to_the_question_stands_below_its_rule() -> None:
    script = playing()
    chain = (Text("refuse/trade"), Text("refuse/alone"))
    script.ask({0: action_question()}, about=Text("ask/turn"), rule="TURN-2", within=chain)
    console = Console(script)

    _, within, outermost, *_ = console.type("rule")
    assert within == "It is asked because of this, outermost first:"
    assert outermost == "1. Trade"
    assert len(console.type("rule trade-1")) == 1


def test_a_rule_that_was_met_is_explained_by_its_id() -> None:
    """The id may be typed in any case; a rule that was never met has no words."""
    console = Console(asked())

    assert console.type("rule trade-1")[0].startswith("Rule TRADE-1, Who takes part: ")
    assert console.type("rule EX-99") == [
        "There is nothing to read about a rule EX-99; rule alone explains the present question."
    ]
    assert Console(playing()).type("rule") == [
        "You are not asked anything now. One moment: the game goes on."
    ]


def test_the_journal_is_searched() -> None:
    """Each word must be the beginning of a word in the line."""
    console = Console(playing())

    assert console.type("journal find tally appears") == [
        "Round 1: A monster appears: Tallyman, Hall (1)",
        "Round 1: A monster appears: Tallyman 1, Study (1)",
    ]
    assert console.type("journal TALLY app") == console.type("journal find tally appears")
    assert console.type("journal find unicorn") == ["Nothing like that was found."]
    assert console.type("journal 9") == ["Nothing like that was found."]


def test_the_story_is_told_again() -> None:
    console = Console(playing())

    assert console.type("story")[1] == "The door is open."
    assert "The water knows your name" in console.type("story 1")[-1]
    assert console.type("story 1x") == ["Type a number from the list after it."]
    assert console.type("story 9") == ["Nothing has been told yet."]
    assert not any("water knows" in line for line in Console(playing(), seat=1).type("story"))


def test_the_last_lines_of_the_journal_are_repeated() -> None:
    console = Console(playing())

    assert console.type("journal last 2") == ["Round 2", "Ada Lorne’s turn"]
    assert len(console.type("journal last")) == 10


def test_the_journal_is_saved() -> None:
    console = Console(playing())

    (saved,) = console.type("save an evening.md")
    assert saved.startswith("an evening.md: ")
    assert "## Round 2" in console.shelf.files["an evening.md"]
    assert console.type("save an evening.md") == [
        "an evening.md exists and is not overwritten; choose another name."
    ]
    assert console.type("save /no/way.md") == [
        "/no/way.md cannot be written: you do not have permission"
    ]
    assert console.type("save") == ["Type the name of a new file after it: save evening.md"]


def test_what_is_saved_is_what_one_s_own_seat_was_sent() -> None:
    """A saved journal contains no secret of other seats."""
    own, other = Console(playing(), seat=0), Console(playing(), seat=1)
    own.type("save a")
    other.type("save a")

    assert "The water knows your name" in own.shelf.files["a"]
    assert "The water knows your name" not in other.shelf.files["a"]


def test_the_status_says_how_things_stand() -> None:
    script = asked()
    script.emit(events.PresenceChanged(1, is_present=False))
    console = Console(script)
    console.now += 125.0

    assert console.type("status") == [
        "The Sluice House: in play",
        "Round 2, Investigator phase.",
        "Ada Lorne’s turn, with 2 actions left.",
        "Your choice. Ada Lorne: an action (2 left)",
        "That was asked 2 minutes ago.",
        "Away: Bob.",
        "Connection: online, with a delay of 12 milliseconds.",
    ]


def test_the_status_is_known_everywhere() -> None:
    online = "Connection: online, with a delay of 12 milliseconds."
    assert Console(None, is_lobby=True).type("status") == [online]
    assert Console(lobby()).type("status")[0] == "The Sluice House: waiting for players"


def test_a_proposal_can_be_heard_again() -> None:
    script = playing()
    script.emit(events.Proposed(Proposal(0, "give_seat", 1, seat=0, is_bot=True)))

    assert Console(script).type("proposal") == [
        "Bob proposes to give Ann’s seat to a bot.",
        "Type agree or refuse.",
    ]
    assert Console(script, seat=1).type("proposal") == ["Bob proposes to give Ann’s seat to a bot."]


def test_invitations_are_repeated() -> None:
    console = Console(lobby())
    console.model.status = Online("haunted", fingerprint_text(b"f" * 32), "haunted.example:4470")
    console.model.set_codes(ROOM, {ANY_SEAT: code_text(b"0123456789")})

    (line,) = console.type("invite")[-1:]

    assert line.startswith("manse join haunted.example:4470/")
    assert not console.port.said


# Help -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("console", "has", "lacks"),
    [
        (Console(None, is_lobby=True), "open", "claim"),
        (Console(lobby()), "claim", "party"),
        (Console(playing()), "party", "open"),
    ],
)
def test_help_lists_what_makes_sense(console: Console, has: str, lacks: str) -> None:
    here, everywhere = console.type("help"), console.type("help all")

    assert any(line.startswith(f"{has}: ") for line in here)
    assert not any(line.startswith(f"{lacks}: ") for line in here)
    assert any(line.startswith(f"{lacks}: ") for line in everywhere)


def test_help_explains_a_command() -> None:
    console = Console(playing())

    assert console.type("help journal")[0].startswith("journal: all that happened")
    assert console.type("help jour") == console.type("help journal")
    assert console.type("help /journal") == console.type("help journal")
    assert console.type("help s")[0].startswith(
        "That fits several: status; story; save; settings; say"
    )
    assert console.type("help jornal") == ["“jornal” means nothing here. Close to it: journal"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_command_is_explained(language: str) -> None:
    for name in COMMANDS:
        assert load(language).has(f"plain.help.{name}")


@pytest.mark.parametrize("language", LANGUAGES)
def test_plain_words_name_no_key_of_the_full_screen(language: str) -> None:
    templates = load(language).templates

    assert not [
        key
        for key, words in templates.items()
        if key.startswith(("plain.", "error.", "consent.", "box.")) and "{key." in words
    ]


# All that the full screen can do --------------------------------------------------------------


OF_REPLAYS = (
    *(Action.REVIEW, Action.LEFT, Action.RIGHT, Action.ROUND_BACK, Action.ROUND_ON),
    *(Action.EVENT_BACK, Action.EVENT_ON, Action.CHOICE_BACK, Action.CHOICE_ON),
    *(Action.TURN_BACK, Action.TURN_ON, Action.VIEWPOINT, Action.MOMENTS, Action.OFFERED),
    Action.TIMELINE,
    *(Action.GO_TO, Action.SEARCH, Action.NEXT_HIT, Action.LAST_HIT),
)
"""Actions on a replay. The command `review` opens the replay, which has commands of its own."""
WAYS: dict[Action, str] = {
    **dict.fromkeys(
        (Action.CHOOSE, Action.MARK, Action.DIGIT, Action.UNDO, Action.SEND), "question"
    ),
    **dict.fromkeys((Action.EARLIER, Action.LATER, Action.JOURNAL), "journal"),
    **dict.fromkeys((Action.LESS, Action.MORE, Action.PANE, Action.NEW), "open"),
    **dict.fromkeys((Action.CONSENT, Action.YES), "agree"),
    **dict.fromkeys((Action.MAP_SIZE, Action.WHOLE_MAP), "draw"),
    Action.STORY: "story",
    **dict.fromkeys((Action.MAP_UP, Action.MAP_DOWN, Action.MAP_LEFT, Action.MAP_RIGHT), "map"),
    Action.CLAIM: "claim",
    Action.TIEBREAK: "lot",
    Action.CHAT: "say",
    Action.HELP: "help",
    **dict.fromkeys((Action.CARDS, Action.OPEN, Action.TURN), "cards"),
    Action.SAVE: "save",
    OBJECTIVE: "objective",
    MONSTERS: "monsters",
    LOCATIONS: "map",
    Action.NARROW: "cards",
    BAG: "bag",
    Action.SETTINGS: "settings",
    Action.PROPOSALS: "proposal",
    Action.RESUME: "resume",
    Action.RETRY: "retry",
    Action.PASSES: "standing",
    Action.JOIN: "join",
    Action.REJOIN: "enter",
    Action.COACH: "hints",
    Action.REFRESH: "tables",
    Action.PREPARE: "prepare",
    Action.READY: "ready",
    Action.START: "start",
    Action.BOT: "bot",
    Action.SCENARIO: "scenario",
    Action.PRODUCTS: "products",
    Action.CAMPAIGN: "campaign",
    Action.SETUP: "setup",
    Action.EMPTY_SEAT: "empty",
    Action.HOST: "host",
    **dict.fromkeys((Action.INVITATION, Action.COPY, Action.RENEW), "invite"),
    Action.STAND_UP: "stand",
    Action.REMOVE: "remove",
    Action.AGAIN: "again",
    **dict.fromkeys(OF_REPLAYS, "review"),
    Action.NOTES: "note",
    **dict.fromkeys((Action.GAMES, Action.FILTER), "games"),
    **dict.fromkeys((Action.TOGETHER, Action.FOLLOW, Action.POINT), "together"),
    Action.PRACTISE: "review",
    Action.SPEAK: "speak",
    Action.NO: "refuse",
    Action.LEAVE: "leave",
    Action.QUIT: "quit",
}
"""Command with which plain mode does what each action does on the screen."""
DRAWN = {
    *(Action.UP, Action.DOWN, Action.PAGE_UP, Action.PAGE_DOWN, Action.FIRST, Action.LAST),
    *(Action.GO_ON, Action.DIE_BACK, Action.DIE_ON),
    *(Action.LESSON, Action.BACK, Action.PLAY, Action.SUSPEND),
}
"""
Actions without a command in plain mode: those that only move about on a screen or work
automatically, and SUSPEND, whose key is the same in plain mode.
"""


def test_plain_mode_can_do_what_keys_can() -> None:
    """If you add a key to the full screen, add a command to plain mode or state here why not."""
    assert set(USUAL.actions) == set(WAYS) | DRAWN
    assert set(WAYS.values()) <= {*COMMANDS, *by_name(commands_for("cards"))}


def test_the_password_is_given_once_the_server_asks_for_it() -> None:
    console = Console(None, is_lobby=True)
    settings = Settings(takebacks=False)

    console.type("password correct horse")
    assert not console.port.said
    console.model.pending = Pending(OpenTable(1, settings, "core/sluice"))
    console.type("password correct horse")

    assert console.port.said == [("open_table", settings, "core/sluice", "correct horse")]


@pytest.mark.issue(14)
def test_a_server_that_is_away_can_be_tried_at_once() -> None:
    console = Console(asked())
    assert console.port.said == []
    console.type("retry")
    assert console.port.said == []

    console.model.status = Disconnected(9.0, "gone")
    console.type("retry")
    assert console.port.said == [("try_again",)]


@pytest.mark.issue(38)
def test_a_letter_read_as_a_command_is_said_where_another_was_meant() -> None:
    """Typists do not expect that the first letter of a sentence is an abbreviated command."""
    console = Console(lobby())

    assert console.type("i am ready") == ["“i” was read as “invite”. Did you mean: ready?"]
    (line,) = console.type("invite ada")
    assert line == (
        "invite alone is for a seat, invite watch for somebody who only watches; "
        "invite renew cancels the lines given out so far."
    )
    assert console.port.said == []
