"""Plain mode: what is printed, when, and how often."""

from collections.abc import Sequence

from client.model.lobby import SOLO
from client.model.model import ANY_SEAT, Bar
from client.model.status import Connecting, Disconnected, Online
from client.net.fetching import Fetching
from protocol.common import events
from protocol.common.asks import Choice, Question
from protocol.common.chance import Stream
from protocol.common.table import Proposal, Settings
from protocol.common.text import Text
from protocol.event import hidden
from protocol.games.second_edition import events as se
from protocol.games.second_edition.table import Face, Phase, Skill
from protocol.invitation import code_text
from protocol.keys import fingerprint_text
from protocol.messages import ExportPart
from tests.games.second_edition.client.console import Console
from tests.games.second_edition.client.scripted import (
    RISK,
    ROOM,
    Script,
    action_question,
    agreeing,
    asked,
    changing,
    clues_question,
    lobby,
    picturing,
    playing,
    unlocking,
)


def test_a_question_is_printed_with_numbered_choices() -> None:
    printed = Console(asked()).fresh()

    assert printed[-8:] == [
        "",
        "Your choice. Ada Lorne: an action (2 left)",
        "1. Move to: Hall",
        "2. Move to: Kitchen",
        "3. Move to: Study",
        "4. Search the coats",
        "5. Attack the Tallyman",
        "6. End the turn",
    ]


def test_the_journal_comes_first_and_dice_are_said() -> None:
    """Nothing is drawn, so a screen reader can say everything."""
    script = playing()
    console = Console(script)

    printed = console.go_on(
        se.TestDeclared("investigator/ada", Skill.WILL, 0, 2, 4),
        events.Rolled(Stream.PLAY, 1, "will", sides=8, faces=(0, 1, 2, 3)),
        se.DiceShown((Face.SUCCESS, Face.INVESTIGATION, Face.BLANK, Face.BLANK)),
        se.PhaseBegan(Phase.INVESTIGATOR, 3),
    )

    assert "Dice: 1 success, 1 investigation, 2 blanks." in printed
    assert "Round 3" in printed
    assert not [line for line in printed if "[" in line or "\x1b" in line]


def test_those_who_are_not_asked_are_told_who_is() -> None:
    assert Console(asked(), seat=1).fresh()[-1] == "Waiting for Ann: Ada Lorne: an action (2 left)"


def test_what_happens_is_printed_as_it_comes() -> None:
    console = Console(playing())

    printed = console.go_on(events.Chatted(1, hidden("là-bas !".encode())))

    assert printed == ["Bob: là-bas !"]


def test_hostile_words_do_not_reach_the_terminal() -> None:
    console = Console(playing())

    (line,) = console.go_on(events.Chatted(1, hidden(b"\x1b[2Jboo\x07")))

    assert line.isprintable()


def test_a_table_is_described_before_its_game() -> None:
    printed = Console(lobby()).fresh()

    assert "Ann (you, host): nobody yet" in printed
    assert "1. Ada Lorne" in printed
    assert printed[-1].startswith("Choose whom you play")


def test_tables_are_listed_unfinished_ones_first() -> None:
    printed = Console(None, is_lobby=True).fresh()

    assert printed[0] == "Connected to haunted as Ann."
    assert printed[2].startswith("1. The Sluice House: in play (Ann, Bob), your turn")
    assert printed[4].startswith("3. The Sluice House: finished")


def test_an_invitation_is_printed_once() -> None:
    console = Console(lobby())
    console.model.status = Online("haunted", fingerprint_text(b"f" * 32), "haunted.example:4470")
    console.model.set_codes(ROOM, {ANY_SEAT: code_text(b"0123456789")})
    console.model.bar = Bar(console.model.locale.say("invitation.made"))
    console.fresh()

    console.model.changed()
    console.model.changed()

    label, line = console.fresh()
    assert label == "Send this line to your friends:"
    assert line.startswith("manse join haunted.example:4470/")


def test_how_much_of_a_file_has_come_is_printed_only_while_it_takes_long() -> None:
    """A download that is done at once prints nothing, others a line every five seconds."""
    console = Console(asked())
    console.fresh()
    fetching = Fetching(console.model)
    for index in range(140):
        fetching.add(ExportPart(1, ROOM, index, False, bytes(1000)), lambda _: None)
        console.model.changed()
        console.now += 0.1

    assert console.fresh() == ["51000 bytes so far", "101000 bytes so far"]

    fetching.add(ExportPart(1, ROOM, 140, True, bytes(1000)), lambda _: None)
    console.model.changed()
    console.now += 60
    fetching.add(ExportPart(2, ROOM, 0, False, bytes(1000)), lambda _: None)
    console.model.changed()

    assert [line for line in console.fresh() if "bytes" in line] == []


def test_a_refusal_is_printed() -> None:
    console = Console(asked())
    console.fresh()

    console.model.tell("That was not offered.", is_wrong=True)

    assert console.fresh() == ["That was not offered."]


def test_a_lost_line_is_told() -> None:
    console = Console(asked())
    console.fresh()

    console.model.status = Disconnected(4.2, "it hung up")
    console.model.changed()

    assert console.fresh() == ["Connection lost: it hung up. Trying again in 4 seconds."]


def test_a_lock_is_read_out_row_by_row() -> None:
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
    printed = Console(picturing()).fresh()

    at = printed.index("+ 1 -----+ 2 -----+")
    assert printed[at + 1 : at + 3] == ["| ..---- | (o) |  |", "| .-     |     |  |"]


def test_a_question_with_a_time_limit_says_so() -> None:
    """A listener sees no clock."""
    script = playing()
    console = Console(script)
    view = console.model.view
    assert view is not None
    settings = Settings(time_limit_seconds=60)
    for table in (script, view):
        table.table = table.table.with_room(settings=settings)
    script.ask({0: action_question()}, about=Text("ask/action", ("investigator/ada", 2)))

    assert "In 60 seconds a default answer is given: nothing is chosen" in console.go_on()
    assert "In 60 seconds a default answer is given: nothing is chosen" in console.type("status")
    script.ask({1: action_question()}, about=Text("ask/action", ("investigator/ada", 2)))
    console.go_on()
    assert "In 60 seconds a default answer is given." in console.type("status")


def test_a_proposal_is_told_to_those_who_have_a_voice() -> None:
    console = Console(playing())

    printed = console.go_on(events.Proposed(Proposal(0, "give_seat", 1, seat=0, is_bot=True)))

    assert printed == ["Bob proposes to give Ann’s seat to a bot.", "Type agree or refuse."]


def test_a_proposal_is_told_once_whatever_follows_it() -> None:
    """A bot may agree before anybody could read the proposal."""
    console = Console(playing())
    proposal = Proposal(0, "correct", 1, piece="m1", amount=2)

    printed = console.go_on(events.Proposed(proposal), events.Consented(1, 0, is_agreed=True))

    assert len([line for line in printed if "correct the damage" in line]) == 1
    assert printed[-1] == "Type agree or refuse."


def test_what_is_said_several_times_in_a_row_is_told_once_with_how_often() -> None:
    """Equal events become one line with a count, in the journal too. Chat is never merged."""
    console = Console(playing())

    printed = console.go_on(*_clues(3))

    assert printed == ["Ada Lorne gains 1 Clue, 3 times."]
    assert console.type("journal last 3") == printed
    said = events.Chatted(1, hidden(b"Hello."))
    assert console.go_on(said, said) == ["Bob: Hello."] * 2


def _clues(count: int) -> list[se.CluesGained]:
    return [se.CluesGained("investigator/ada", 1)] * count


def test_over_dice_it_is_said_what_they_are_rolled_for() -> None:
    """Plain mode names what is at stake, since it decides whether a Clue is worth spending."""
    printed = Console(changing()).fresh()

    asked_for = next(line for line in printed if line.startswith("Your choice."))
    assert asked_for.startswith("Your choice. Ada Lorne faces 0 damage and 2 horror.")


def test_what_dice_are_rolled_for_is_said_once_for_all_questions_about_them() -> None:
    console = Console(changing())
    assert console.script is not None

    console.script.ask({0: clues_question()}, about=RISK)

    assert "Your choice. 1 success of 3 so far. Change the dice?" in console.go_on()
    assert "faces 0 damage" in console.type("question")[1]


# Questions that ask the same again ----------------------------------------------------------


def trading(*gone: int, also: Sequence[int] = (), left: int = 2) -> Question:
    """Return a question of a trade: eight choices without `gone`, plus `also`."""
    texts = [Text("choice/spend", (at,)) for at in range(8) if at not in gone]
    texts += [Text("choice/spend", (one,)) for one in also]
    choices = tuple(Choice(f"{left}.{at}", text, (), "use") for at, text in enumerate(texts))
    end = Choice(f"{left}.end", Text("choice/end"), (), "rest", ends=True)
    return Question(Text("ask/action", ("investigator/ada", left)), (*choices, end))


def steps_of(*questions: Question) -> list[list[str]]:
    """Return the lines printed for each of these questions, which are asked one after another."""
    console = Console(playing())
    about = Text("ask/action", ("investigator/ada", 2))
    return [_step(console, question, about) for question in questions]


def _step(console: Console, question: Question, about: Text) -> list[str]:
    assert console.script is not None
    console.script.ask({0: question}, about=about)
    return console.go_on()


def test_of_a_question_that_asks_the_same_again_only_what_changed_is_told() -> None:
    """Choices that stay keep their numbers, and new ones take free numbers.

    The last line names `question`, the command that reads all choices.
    """
    console = Console(playing())
    about = Text("ask/action", ("investigator/ada", 2))
    first = _step(console, trading(), about)
    assert len(first) == 2 + 9

    second = _step(console, trading(2, also=[20], left=1), about)

    assert second[1] == "Your choice. Ada Lorne: an action (1 left)"
    assert [line[:2] for line in second[2:-1]] == ["3."]
    assert second[-1] == "The others are as before; question reads them all."
    again = console.type("question")
    assert [line.split(".")[0] for line in again[2:]] == [str(at) for at in range(1, 10)]
    assert again[4] == second[2]
    assert again[10] == first[10]
    console.type("3", "9", "1")
    assert [picks for _, _, picks in console.port.said] == [("1.7",), ("1.end",), ("1.0",)]


def test_a_number_that_is_gone_means_nothing() -> None:
    """An old number must not end a turn by mistake."""
    console = Console(playing())
    about = Text("ask/action", ("investigator/ada", 2))
    _step(console, trading(), about)

    second = _step(console, trading(0, 1, left=1), about)

    assert second[2:] == [
        "No longer there: 1, 2.",
        "The others are as before; question reads them all.",
    ]
    assert console.type("1") == ["Choice 1 is no longer there."]
    assert [line.split(".")[0] for line in console.type("question")[2:]] == list("3456789")
    console.type("3", "9")
    assert [picks for _, _, picks in console.port.said] == [("1.0",), ("1.end",)]
    assert console.type("spend")[0].startswith("That fits several: 3 Spend 2 Clues; 4 ")


def test_where_nothing_changed_that_is_said() -> None:
    """For example, a piece of a puzzle could not move."""
    _, second = steps_of(trading(), trading(left=1))

    assert second[2:] == ["The choices are as before; question reads them all."]


def test_where_most_is_new_or_little_is_asked_all_is_told() -> None:
    _, second = steps_of(trading(), trading(0, 1, 2, 3, 4, also=range(20, 25), left=1))
    assert len(second) == 2 + 9
    _, second = steps_of(trading(*range(5)), trading(*range(5), left=1))
    assert len(second) == 2 + 4


def test_one_hears_at_once_whether_it_is_a_choice_or_a_vote() -> None:
    assert "Your choice. Ada Lorne: an action (2 left)" in Console(asked()).printed
    assert "Your vote. Who takes the Lantern?" in Console(agreeing()).printed
    assert "À vous de choisir. Ada Lorne : une action (2 restantes)" in (
        Console(asked(), language="fr").printed
    )


def test_votes_that_differ_are_told_once() -> None:
    console = Console(agreeing())

    told = console.go_on(events.Voted(0, 0, ("9.0",)))
    again = console.go_on(events.Chatted(1, hidden(b"hm")))

    assert told[-1].startswith("The votes differ: talk it over and vote again, or type lot")
    assert again == ["Bob: hm"]


def ask_bob(script: Script) -> None:
    script.ask({1: action_question()}, about=Text("ask/action", ("investigator/vera", 2)))


def test_it_is_said_once_that_somebody_else_is_waited_for() -> None:
    script = playing()
    console = Console(script)
    ask_bob(script)
    assert console.go_on() == ["Waiting for Bob: Vera Sand: an action (2 left)"]

    script.emit(events.Answered(1, 0, hidden(("1.1",))))
    ask_bob(script)

    assert console.go_on() == []


def test_bots_are_not_waited_for_aloud() -> None:
    script = playing()
    script.emit(events.SeatGiven(1, "Bot", b"x" * 32, is_bot=True, with_secrets=False))
    console = Console(script)

    ask_bob(script)

    assert console.go_on() == []
    assert console.type("who") == ["Waiting for Bot: Vera Sand: an action (2 left)"]


def test_who_comes_late_hears_how_much_there_was_and_the_last_of_it() -> None:
    """A player who comes late is told the number of earlier lines, and then the last ones."""
    printed = Console(asked()).printed

    assert printed[1].endswith(" lines so far; journal reads them all. The last ones:")
    assert printed[2:7][-2:] == ["Round 2", "Ada Lorne’s turn"]
    assert printed[7:9] == ["", "Your choice. Ada Lorne: an action (2 left)"]


def test_nothing_is_printed_before_all_that_was_missed_has_come() -> None:
    script = playing()
    console = Console(lobby())
    view = console.model.view
    assert view is not None
    console.model.update_table(next_sequence=len(script.stored))
    console.fresh()

    for first in range(view.last + 1, len(script.stored), 10):
        cuts = script.cuts(0)[first : first + 10]
        console.model.pass_steps(view.receive(cuts))
        console.model.changed()
        if console.model.is_catching_up:
            assert console.printed == []

    assert console.printed[0] == "Since you left, 41 lines; journal reads the whole journal:"
    assert sum(line.startswith("Since you left") for line in console.printed) == 1


def test_what_happens_while_one_is_there_is_printed_whole() -> None:
    console = Console(playing())

    printed = console.go_on(*(events.Chatted(1, hidden(str(at).encode())) for at in range(50)))

    assert len(printed) == 50


def test_what_to_do_next_is_told_when_it_is_something_else() -> None:
    console = Console(lobby())

    claimed = console.go_on(events.CharactersClaimed(0, ("investigator/ada",)))
    chatted = console.go_on(events.Chatted(1, hidden(b"hello")))
    ready = console.go_on(events.ReadySet(0, is_ready=True))

    assert claimed[-1] == "Type ready when you are."
    assert chatted == ["Bob: hello"]
    assert ready[-1] == "Waiting until everybody is ready."


def test_nobody_is_invited_to_a_server_for_one() -> None:
    """An invitation to the server of `manse solo` would lead nowhere."""
    console = Console(lobby())
    console.model.launch = SOLO
    console.model.status = Online("haunted", fingerprint_text(b"f" * 32), "haunted.example:4470")
    console.model.set_codes(ROOM, {ANY_SEAT: code_text(b"0123456789")})
    console.fresh()

    console.model.changed()

    assert not console.printed
    assert console.type("invite") == ["This server is for you alone; nobody can be invited."]


def test_a_line_that_stays_lost_is_told_once() -> None:
    console = Console(asked())
    console.fresh()
    for status in (Disconnected(1.0, "gone"), Connecting(1), Disconnected(2.0, "refused")):
        console.model.status = status
        console.model.changed()
    assert len(console.fresh()) == 1

    console.model.status = Online("haunted", "", "")
    console.model.changed()

    assert console.fresh() == [
        "Connected to haunted as Ann.",
        "Your choice. Ada Lorne: an action (2 left)",
        "Type a number from 1 to 6, or words of a choice; question repeats them all.",
    ]


def test_a_bell_rings_for_who_has_waited() -> None:
    script = asked()
    console = Console(script)
    assert console.rings == 0
    script.emit(events.Answered(0, 0, hidden(("1.1",))))
    script.ask({0: action_question()}, about=Text("ask/action", ("investigator/ada", 1)))
    console.go_on()
    before = console.rings

    script.emit(events.Answered(0, 1, hidden(("1.1",))))
    ask_bob(script)
    console.go_on()
    script.emit(events.Answered(1, 2, hidden(("1.1",))))
    script.ask({0: action_question()}, about=Text("ask/action", ("investigator/ada", 1)))
    console.go_on()

    assert (before, console.rings) == (0, 1)


def test_who_looks_on_is_told_so() -> None:
    console = Console(asked(), seat=None)

    assert console.printed.count("You are watching.") == 1
    assert "You are watching." not in console.go_on(events.Chatted(1, hidden(b"hello")))


def test_how_a_vote_is_settled_is_told_once() -> None:
    script = agreeing()
    console = Console(script)
    assert "Everybody must agree; you may vote again." in console.printed

    assert "Everybody must agree; you may vote again." not in console.type("question")
