"""Plain mode: what is printed, what typed lines mean, and a whole game played through it."""

import random
import re
from collections.abc import Callable
from typing import Any

import attrs
import pytest

from client.locale import LANGUAGES, load
from client.model import ANY_SEAT, Bar, ClientModel
from client.plain import PlainClient
from client.plain_choice import AmbiguousCommand, Listing, UnreadableCommand, find
from client.plain_commands import COMMANDS
from client.status import Disconnected, Online
from protocol.common import events as on
from protocol.common.asks import Choice, Question
from protocol.common.events import ProductsSwitched
from protocol.common.table import Proposal, Settings, Stage
from protocol.common.text import Text
from protocol.event import hidden
from protocol.invitation import code_text
from protocol.keys import fingerprint_text
from protocol.messages import ListTables
from protocol.second_edition import events as se
from protocol.second_edition.table import Feature, FeatureKind, Token, TokenKind
from tests.client.scripted import (
    ROOM,
    Script,
    agreeing,
    asked,
    coding,
    lobby,
    picturing,
    playing,
    unlocking,
)
from tests.client.stage import RecordingPort, model_of
from tests.lobby.house import House


@attrs.define
class PlainRecorder(RecordingPort):
    """A port that also writes down invitations."""

    def invite(self, *, is_to_watch: bool) -> None:
        """Write it down."""
        self.said.append(("invite", is_to_watch))


@attrs.define(eq=False)
class Console:
    """A plain client at a scripted table, with what it printed."""

    script: Script | None
    seat: int | None = 0
    language: str = "en"
    is_lobby: bool = False
    model: ClientModel = attrs.field(init=False)
    port: PlainRecorder = attrs.field(factory=PlainRecorder, init=False)
    printed: list[str] = attrs.field(factory=list, init=False)
    client: PlainClient = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        """Sit down, and read what there is to read."""
        self.model = model_of(
            self.script, seat=self.seat, language=self.language, is_lobby=self.is_lobby
        )
        self.client = PlainClient(self.model, self.port, self.printed.append)
        self.client.look()

    def fresh(self) -> list[str]:
        """Return what was printed since this was asked last."""
        lines, self.printed[:] = self.printed.copy(), []
        return lines

    def type(self, *lines: str) -> list[str]:
        """Type lines; return what was printed for them."""
        self.fresh()
        for line in lines:
            self.client.hear(line)
        return self.fresh()

    def go_on(self, *happened: Any) -> list[str]:
        """Let something happen; return what was printed of it."""
        assert self.script is not None
        view = self.model.view
        assert view is not None
        self.script.emit(*happened)
        self.fresh()
        self.model.took(view.receive(self.script.cuts(self.seat, view.last + 1)))
        self.model.changed()
        return self.fresh()


# What is printed ---------------------------------------------------------------------------


def test_a_question_is_printed_with_numbered_choices() -> None:
    """The transcript of the moment in which a player is asked."""
    printed = Console(asked()).fresh()

    assert printed[-8:] == [
        "",
        "Ada Lorne: an action (2 left)",
        "1. Move to: Hall",
        "2. Move to: Kitchen",
        "3. Move to: Study",
        "4. Search the coats",
        "5. Attack the Tallyman",
        "6. End the turn",
    ]


def test_the_journal_comes_first_and_dice_are_said() -> None:
    """Nothing is drawn: a screen reader has to say it."""
    printed = Console(asked()).fresh()

    assert "Dice: 1 success, 1 investigation, 2 blanks." in printed
    assert "Round 2" in printed
    assert not [line for line in printed if "[" in line or "\x1b" in line]


def test_those_who_are_not_asked_are_told_who_is() -> None:
    """Nobody wonders why nothing happens."""
    assert Console(asked(), seat=1).fresh()[-1] == "Waiting for Ann: Ada Lorne: an action (2 left)"


def test_what_happens_is_printed_as_it_comes() -> None:
    """Line by line, the next question behind it."""
    console = Console(playing())

    printed = console.go_on(on.Chatted(1, hidden("là-bas !".encode())))

    assert printed == ["Bob: là-bas !"]


def test_hostile_words_do_not_reach_the_terminal() -> None:
    """Whatever another client lets through."""
    console = Console(playing())

    (line,) = console.go_on(on.Chatted(1, hidden(b"\x1b[2Jboo\x07")))

    assert line.isprintable()


def test_a_table_is_described_before_its_game() -> None:
    """Seats, investigators by number, and what to do next."""
    printed = Console(lobby()).fresh()

    assert "Ann (you, host): nobody yet" in printed
    assert "1. Ada Lorne" in printed
    assert printed[-1].startswith("Choose whom you play")


def test_tables_are_listed_unfinished_ones_first() -> None:
    """By number, so that one can go on at once."""
    printed = Console(None, is_lobby=True).fresh()

    assert printed[0] == "Connected to haunted as Ann."
    assert printed[2].startswith("1. The Sluice House: in play (Ann, Bob) your turn")
    assert printed[4].startswith("3. The Sluice House: finished")


def test_an_invitation_is_printed_once() -> None:
    """As one line to paste, whatever else it says."""
    console = Console(lobby())
    console.model.status = Online("haunted", fingerprint_text(b"f" * 32), "haunted.example:4470")
    console.model.codes[ROOM] = {ANY_SEAT: code_text(b"0123456789")}
    console.model.bar = Bar(console.model.locale.say("invitation.made"))
    console.fresh()

    console.model.changed()
    console.model.changed()

    label, line = console.fresh()
    assert label == "Send this line to your friends:"
    assert line.startswith("manse join haunted.example:4470/")


def test_a_refusal_is_printed() -> None:
    """What stands on the message bar of a full screen is a line here."""
    console = Console(asked())
    console.fresh()

    console.model.tell("That was not offered.", is_wrong=True)

    assert console.fresh() == ["That was not offered."]


def test_a_lost_line_is_told() -> None:
    """With the reason, and when it will be tried again."""
    console = Console(asked())
    console.fresh()

    console.model.status = Disconnected(4.2, "it hung up")
    console.model.changed()

    assert console.fresh() == ["The line is gone: it hung up. Trying again in 4 seconds."]


# What typed lines mean ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "pick"),
    [("4", "1.4"), ("search", "1.4"), ("att tally", "1.5"), ("MOVE kit", "1.2"), ("end", "1.0")],
)
def test_a_choice_is_named_by_number_or_words(line: str, pick: str) -> None:
    """The beginning of its words is enough."""
    console = Console(asked())

    assert not console.type(line)

    assert console.port.said == [("answer", 0, (pick,))]


@pytest.mark.parametrize(
    ("line", "printed"),
    [
        ("move", "That fits several: 1 Move to: Hall; 2 Move to: Kitchen; 3 Move to: Study"),
        ("dance", "dance: that means nothing here; type help for what does."),
        ("7", "There is no choice 7; they go from 1 to 6."),
        ("0", "There is no choice 0; they go from 1 to 6."),
        ("1 2", "Choose exactly 1, not 2."),
        ("9" * 5000, "There is no choice 999999999; they go from 1 to 6."),
    ],
)
def test_a_line_that_cannot_be_meant_is_one_line_back(line: str, printed: str) -> None:
    """Nothing is guessed, nothing is sent."""
    console = Console(asked())

    assert console.type(line) == [printed]
    assert not console.port.said


def test_several_are_picked_in_a_row() -> None:
    """Where one may come several times."""
    console = Console(coding())

    console.type("3 1,3")

    assert console.port.said == [("answer", 0, ("7.2", "7.0", "7.2"))]


@pytest.mark.rule("SETUP-5")
def test_products_are_listed_and_switched() -> None:
    """By number; who is not there is not listed either."""
    script = lobby()
    script.emit(ProductsSwitched(("product/flood",)), origin=0)
    console = Console(script)

    assert console.type("products")[:2] == ["1. High Flood: off", "2. Low Ebb: on"]
    assert not any("Vera" in line for line in console.type("claim"))
    console.type("products 2")
    assert console.port.said == [("switch_products", ("product/flood", "product/ebb"))]


def test_campaign_goes_on() -> None:
    """The server finds the table that comes before."""
    console = Console(lobby())

    console.type("campaign")

    assert console.port.said == [("continue_campaign",)]


@pytest.mark.rule("APP-8")
@pytest.mark.rule("DECIDE-49")
def test_damage_is_proposed_by_number() -> None:
    """After the list of the monsters, each with what it has suffered."""
    console = Console(asked())

    assert console.type("correct")[:2] == [
        "1. Tallyman: damage 1 of 3",
        "2. Tallyman 1: damage 0 of 3",
    ]
    assert console.type("correct 1 9") == ["Its damage belongs there, from 0 to 3."]
    console.type("correct 2 3")
    assert console.port.said == [("propose_correction", "m2", 3)]


def test_a_lock_is_read_out_row_by_row() -> None:
    """With the question, and with the map for those who look on."""
    rows = [
        ". . a . . .",
        ". . a . . .",
        "* * a . . . >",
        ". . . . c .",
        "b b b . c .",
        ". . . d d .",
    ]
    console = Console(unlocking())

    assert rows == [line for line in console.fresh() if line in rows]
    assert rows == [line for line in Console(unlocking(), seat=1).type("map") if line in rows]
    assert "Ada Lorne has 3 steps left." in console.type("question")


def test_a_picture_is_written_as_it_lies() -> None:
    """With the numbers of the places that the choices name."""
    printed = Console(picturing()).fresh()

    at = printed.index("+ 1 -----+ 2 -----+")
    assert printed[at + 1 : at + 3] == ["| ..---- | (o) |  |", "| .-     |     |  |"]


def listing(at_least: int, at_most: int) -> Listing:
    """Return three named things, so many of which may be picked."""
    names = ("the axe", "the lamp", "the long rope")
    choices = tuple(Choice(str(at), Text(name)) for at, name in enumerate(names))
    question = Question(Text("ask"), choices, (), at_least, at_most)
    return Listing(question, choices, names)


@pytest.mark.parametrize(
    ("line", "picks"), [("0", ()), ("1 3", ("0", "2")), ("axe, rope", ("0", "2")), ("2", ("1",))]
)
def test_several_are_picked(line: str, picks: tuple[str, ...]) -> None:
    """By numbers or, with commas, by words; none with 0 where none will do."""
    assert listing(0, 2).picks(line) == picks


@pytest.mark.parametrize("line", ["0", "1 1", "1 2 3", "1 x", ","])
def test_too_few_too_many_and_twice_are_refused(line: str) -> None:
    """As the server would, but in words and at once."""
    with pytest.raises(UnreadableCommand):
        listing(1, 2).picks(line)


def test_what_is_typed_whole_is_no_other() -> None:
    """Even if it begins another choice too."""
    assert find("Hall", ["Hall of mirrors", "hall"]) == 1
    assert find("salle", ["Salle à manger"]) == 0
    with pytest.raises(AmbiguousCommand):
        find("ha", ["Hall of mirrors", "hall"])


def test_a_vote_is_a_vote() -> None:
    """Where everybody must agree, the votes so far are shown."""
    console = Console(agreeing())
    printed = console.fresh()

    console.type("2")

    assert "2. Vera Sand (Bob)" in printed
    assert console.port.said == [("vote", 0, "9.1")]


def test_lines_wait_until_the_one_before_has_had_its_effect() -> None:
    """So that a script needs no pauses."""
    console = Console(lobby())
    console.type("claim 2", "ready")
    assert [said[0] for said in console.port.said] == ["claim", "set_ready"]

    console.model.sent = {1: ListTables(1)}
    console.type("say one", "say two")
    assert len(console.port.said) == 2
    console.model.sent = {}
    console.model.changed()

    assert console.port.said[2:] == [("chat", "one"), ("chat", "two")]


def test_the_end_of_input_leaves_once_all_is_done() -> None:
    """Nothing typed is lost by it."""
    console = Console(asked())
    console.model.sent = {1: ListTables(1)}
    console.type("4")
    console.client.end()
    assert not console.client.is_done

    console.model.sent = {}
    console.model.changed()

    assert console.port.said
    assert console.client.is_done


def test_one_can_leave_without_a_line() -> None:
    """Whatever else was typed meanwhile waits in vain."""
    console = Console(asked())
    console.model.status = Disconnected(3, "gone")
    console.model.changed()

    console.type("4", "quit")

    assert console.client.is_done
    assert not console.port.said


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
        ("bot", ("add_bot",)),
        ("start", ("start",)),
        ("unready", ("set_ready", False)),
        ("claim ada, vera", ("claim", ("investigator/ada", "investigator/vera"))),
        ("claim 3", ("claim", ("investigator/vera",))),
        ("scenario 1", ("choose_scenario", "core/sluice")),
        ("language FR", ("set_language", "fr")),
        ("language engl", ("set_language", "en")),
        ("open 1", ("open_table", "core/sluice", Settings())),
        (
            "open 1 later 5 noback",
            (
                "open_table",
                "core/sluice",
                Settings(spectators=True, spectators_delay_seconds=300, takebacks=False),
            ),
        ),
        ("invite", ("invite", False)),
        ("invite watch", ("invite", True)),
        ("join 68p6-70ea-5akq-0gf8", ("join", "68p6-70ea-5akq-0gf8")),
        ("watch 68p6-70ea-5akq-0gf8", ("watch", "68p6-70ea-5akq-0gf8")),
    ],
)
def test_commands_speak_through_the_port(line: str, said: tuple[Any, ...]) -> None:
    """Each word does one thing."""
    script = playing()
    script.emit(on.Proposed(Proposal(0, "take_back", 1, 42)))
    console = Console(script)

    console.type(line)

    assert console.port.said[0] == said


def test_going_back_is_proposed_by_number() -> None:
    """The latest rest point first."""
    console = Console(playing())

    printed = console.type("back")
    console.type("back 1")

    assert printed[0].startswith("1. Round 1, Mythos phase")
    ((_, rest),) = console.port.said
    assert rest == max(console.script.table.rests) if console.script else None


def test_a_proposal_is_told_to_those_who_have_a_voice() -> None:
    """And how to answer it."""
    console = Console(playing())

    printed = console.go_on(on.Proposed(Proposal(0, "give_seat", 1, seat=0, is_bot=True)))

    assert printed[-2:] == [
        "Bob proposes to give the seat of Ann to a bot.",
        "Type agree or refuse.",
    ]


def test_the_board_is_described_in_words() -> None:
    """Who and what is where, and where it leads."""
    printed = Console(playing()).type("map")

    assert printed[0] == (
        "Hall (1). Here: Ada Lorne, Amos Reed, Tallyman. Leads to: Hall (2), Kitchen (door, south)."
    )
    assert printed[2] == (
        "Kitchen. Here: person token. Leads to: Hall (1) (door, north), an unexplored door."
    )


def test_blocked_doors_and_secret_passages_are_described_in_words() -> None:
    """Which door a Barricade bars, and where passages lead."""
    script = playing()
    passages = [
        Feature(f"secret_passage/{space}", FeatureKind.SECRET_PASSAGE, space)
        for space in ("hall/b", "study/c")
    ]
    barricade = Feature("barricade/hall/b", FeatureKind.BARRICADE, "hall/b", "hall/1")
    for feature in (*passages, barricade):
        script.emit(se.FeaturePlaced(feature))

    printed = Console(script).type("map")
    assert "Study (1) (door, east, barricaded), Parlour (secret passage)." in printed[1]

    script.emit(se.BarricadeShifted("barricade/hall/b", "secret_passage/hall/b"))
    printed = Console(script).type("map")
    assert "Study (1) (door, east), Parlour (secret passage, barricaded)." in printed[1]


@pytest.mark.rule("TOKEN-6")
def test_a_person_without_a_name_is_said_to_have_none() -> None:
    """Beside one who has."""
    script = playing()
    script.emit(se.TokenPlaced(Token("token/guest", TokenKind.PERSON, "hall/c", is_anonymous=True)))

    kitchen = Console(script).type("map")[2]

    assert kitchen.startswith("Kitchen. Here: person token, unnamed person token.")


def test_features_are_described_in_words() -> None:
    """What burns is said before what leads away."""
    script = playing()
    script.emit(se.FeaturePlaced(Feature("fire/hall/c", FeatureKind.FIRE, "hall/c")))

    assert "Kitchen. Here: person token, fire. Leads to:" in Console(script).type("map")[2]


def test_the_party_is_described_in_words() -> None:
    """A line each, monsters last."""
    printed = Console(playing()).type("party")

    assert printed[0] == (
        "Ada Lorne (Ann): Hall (1). Damage 1 of 7, Horror 1 of 6, 0 Clues. Insane."
    )
    assert printed[2].endswith("2 Clues. Wounded. Has: Lantern.")
    assert printed[-2:] == [
        "Tallyman, a monster: Hall (1). Damage 1 of 3.",
        "Tallyman 1, a monster: Study (1). Damage 0 of 3.",
    ]


def test_what_is_left_of_fighting_fire_is_said() -> None:
    """Until the round is over."""
    script = playing()
    script.emit(se.FireFought("investigator/ada", 2))

    assert "Can put out 2 fires this round." in Console(script).type("party")[0]


def test_refused_choices_are_told_with_their_rule() -> None:
    """`why` says what cannot be done now, and what the rule means."""
    assert Console(asked()).type("why") == [
        "Not now: Trade. nobody is in your space (rule TRADE-1)",
        "Rule TRADE-1, Who takes part: A trade is for everybody in one space, and for nobody else.",
    ]


@pytest.mark.parametrize("seat", [0, 1])
def test_the_rule_behind_the_question_is_explained(seat: int) -> None:
    """To whoever waits for the answer as well."""
    name = "Rule TURN-2, Taking a turn: "
    text = "Two actions are yours, the same one twice if you like. What you leave is lost."

    assert Console(asked(), seat=seat).type("rule") == [name + text]


def test_a_rule_that_was_met_is_explained_by_its_id() -> None:
    """However it is typed; one that was never met cannot be."""
    console = Console(asked())

    assert console.type("rule trade-1")[0].startswith("Rule TRADE-1, Who takes part: ")
    assert console.type("rule EX-99") == [
        "There is nothing to read about a rule EX-99; rule alone explains the present question."
    ]


def test_the_journal_is_repeated_by_round() -> None:
    """Of one round, or whole."""
    console = Console(playing())

    second = console.type("journal 2")

    assert second[0] == "Round 2"
    assert len(console.type("journal")) > len(second)


def test_the_back_of_an_insane_card_is_its_owners_alone() -> None:
    """In the journal and among the cards."""
    owner, other = Console(playing(), seat=0), Console(playing(), seat=1)

    assert any("You win if the house burns." in line for line in owner.type("cards"))
    assert not [line for line in other.type("cards", "journal") if "burns" in line]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("make", [lobby, asked, agreeing, coding, None])
def test_every_command_says_something_sensible(
    make: Callable[[], Script] | None, language: str
) -> None:
    """At any table, in any language: words and never a traceback."""
    for name in COMMANDS:
        console = Console(make() if make else None, language=language, is_lobby=make is None)
        for argument in ("", " 1", " x", " 99"):
            printed = console.type(load(language).say(f"plain.word.{name}") + argument)

            # A key without words is shown in brackets, as any subject without words is.
            missing = [li for li in printed if re.search(r"<(plain|wrong|box|error|status)\.", li)]
            assert not missing


def test_the_words_of_commands_differ_from_one_another() -> None:
    """In each language, and none of them is a number."""
    for language in LANGUAGES:
        words = [load(language).say(f"plain.word.{name}") for name in COMMANDS]

        assert len(set(words)) == len(words)
        for word, name in zip(words, COMMANDS, strict=True):
            assert word not in set(COMMANDS) - {name}


# A whole game ------------------------------------------------------------------------------


@attrs.define(eq=False)
class Reader:
    """Somebody who plays by what is printed alone."""

    client: PlainClient
    rng: random.Random
    printed: list[str]
    seen: int = 0

    def go_on(self) -> None:
        """Answer what was asked last, if anything."""
        lines, self.seen = self.printed[self.seen :], len(self.printed)
        numbers: list[str] = []
        rule = ""
        for line in lines:
            if not line:
                numbers, rule = [], ""
            elif match := re.match(r"(\d+)\. ", line):
                numbers.append(match[1])
            elif line.startswith("Choose "):
                rule = line
        if numbers:
            count = re.search(r"Choose (?:from )?(\d)", rule)
            picks = [self.rng.choice(numbers) for _ in range(int(count[1]) if count else 1)]
            # Where none will do, none is taken.
            self.client.hear(" ".join(picks if "row" in rule else dict.fromkeys(picks)) or "0")


def test_a_whole_game_is_played_in_lines() -> None:
    """Two investigators alone, by somebody who reads what is printed and types numbers."""
    house = House()
    person = house.client("Ann")
    printed: list[str] = []
    client = PlainClient(person.model, person.port, printed.append)
    client.look()
    for line in ("open 1", "claim 1 2", "ready", "start"):
        client.hear(line)
    house.settle(3)
    reader = Reader(client, random.Random(2), printed)

    for _ in range(3000):
        reader.go_on()
        house.settle(0.3)
        view = person.model.view
        if view is not None and view.table.room.stage is Stage.OVER:
            break

    assert "The result is final, and the seeds of chance are open to all." in printed
    assert printed[-1].startswith("The game is over.")
    client.hear("quit")
    assert client.is_done
