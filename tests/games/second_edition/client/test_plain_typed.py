"""Meaning of typed lines in plain mode, and the replies to those without a meaning."""

import random
from collections.abc import Callable

import attrs
import pytest

from client.locale import load
from client.model.status import Disconnected, Online
from client.plain.choice import AmbiguousCommand, ListedChoices, UnreadableCommand, find
from client.plain.client import NO_QUESTION
from client.plain.commands import MAX_LINE
from client.plain.match import NamedThing
from client.plain.talk import Talk
from protocol.common import events
from protocol.common.asks import Choice, Point, Question, Settle
from protocol.common.text import Text
from protocol.event import hidden
from protocol.games.second_edition import events as se
from protocol.games.second_edition.table import Possession
from protocol.messages import ListTables
from tests.games.second_edition.client.console import COMMANDS, Console
from tests.games.second_edition.client.scripted import (
    Script,
    action_question,
    agreeing,
    asked,
    coding,
    lobby,
    playing,
)


@pytest.mark.parametrize(
    ("line", "pick"),
    [
        ("4", "1.4"),
        ("search", "1.4"),
        ("att tally", "1.5"),
        ("MOVE kit", "1.2"),
        ("move to the kitchen", "1.2"),
        ("walk study", "1.3"),
        ("look coats", "1.4"),
        ("fight", "1.5"),
        ("end", "1.0"),
        ("turn", "1.0"),
    ],
)
def test_a_choice_is_named_by_number_or_words(line: str, pick: str) -> None:
    console = Console(asked())

    assert not console.type(line)

    assert console.port.said == [("answer", 0, (pick,))]


@pytest.mark.parametrize(
    ("line", "printed"),
    [
        ("move", "That fits several: 1 Move to: Hall; 2 Move to: Kitchen; 3 Move to: Study"),
        ("dance", "“dance” means nothing here; type help to see what does."),
        ("7", "There is no choice 7; they go from 1 to 6."),
        ("0", "There is no choice 0; they go from 1 to 6."),
        ("1 2", "Choose exactly 1, not 2."),
        ("9" * 1900, "There is no choice 999999999; they go from 1 to 6."),
        ("kitchn", "“kitchn” means nothing here. Close to it: 2 Move to: Kitchen"),
        ("partie", "“partie” means nothing here. Close to it: party"),
    ],
)
def test_a_line_that_cannot_be_meant_is_one_line_back(line: str, printed: str) -> None:
    console = Console(asked())

    assert console.type(line) == [printed]
    assert not console.port.said


def test_several_are_picked_in_a_row() -> None:
    console = Console(coding())

    console.type("3 1,3")

    assert console.port.said == [("answer", 0, ("7.2", "7.0", "7.2"))]


def listing(at_least: int, at_most: int) -> ListedChoices:
    """Return a choice among three named things, with a minimum and a maximum."""
    names = ("the axe", "the lamp", "the long rope")
    choices = tuple(Choice(str(at), Text(name)) for at, name in enumerate(names))
    question = Question(Text("ask"), choices, (), at_least, at_most)
    return ListedChoices(
        0, question, choices, tuple(map(NamedThing, names)), tuple(range(1, len(names) + 1))
    )


@pytest.mark.parametrize(
    ("line", "picks"), [("0", ()), ("1 3", ("0", "2")), ("axe, rope", ("0", "2")), ("2", ("1",))]
)
def test_several_are_picked(line: str, picks: tuple[str, ...]) -> None:
    assert listing(0, 2).picks(line) == picks


@pytest.mark.parametrize("line", ["0", "1 1", "1 2 3", "1 x", ","])
def test_too_few_too_many_and_twice_are_refused(line: str) -> None:
    with pytest.raises(UnreadableCommand):
        listing(1, 2).picks(line)


def test_what_is_typed_whole_is_no_other() -> None:
    assert find("Hall", ["Hall of mirrors", "hall"]) == 1
    assert find("salle", ["Salle à manger"]) == 0
    with pytest.raises(AmbiguousCommand):
        find("ha", ["Hall of mirrors", "hall"])


def test_a_vote_is_a_vote() -> None:
    console = Console(agreeing())
    printed = console.fresh()

    console.type("2")

    assert "2. Vera Sand (Bob)" in printed
    assert console.port.said == [("vote", 0, ("9.1",))]


@pytest.mark.issue(38)
@pytest.mark.parametrize("is_online", [True, False])
def test_each_line_of_a_script_that_waits_is_read_once(
    monkeypatch: pytest.MonkeyPatch, *, is_online: bool
) -> None:
    """Otherwise a long script would slow the client down until the server drops it."""
    read: list[str] = []
    is_word = Talk.is_word

    def noted(talk: Talk, typed: str, command: str) -> bool:
        read.append(typed)
        return is_word(talk, typed, command)

    monkeypatch.setattr(Talk, "is_word", noted)
    console = Console(lobby())
    console.model.sent = {1: ListTables(1)}
    if not is_online:
        console.model.status = Disconnected(9.0, "gone")
    words = [f"say{at}" for at in range(20)]

    console.type("ready", *words)
    for _ in range(20):
        console.model.changed()

    assert not console.port.said
    assert [word for word in read if word in words] == words


def test_lines_wait_until_the_one_before_has_had_its_effect() -> None:
    """A script needs no pauses."""
    console = Console(lobby())
    console.type("claim 2", "ready")
    assert [said[0] for said in console.port.said] == ["claim_pieces", "set_ready"]

    console.model.sent = {1: ListTables(1)}
    console.type("say one", "say two")
    assert len(console.port.said) == 2
    console.model.sent = {}
    console.model.changed()

    assert console.port.said[2:] == [("chat", "one"), ("chat", "two")]


def test_the_end_of_input_leaves_once_all_is_done() -> None:
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
    console = Console(asked())
    console.model.status = Disconnected(3, "gone")
    console.model.changed()

    console.type("4", "quit")

    assert console.client.is_done
    assert not console.port.said


# Words besides those that are shown ---------------------------------------------------------


def offering(*choices: tuple[str, str, Point | None]) -> Script:
    """Return a game in which Ann chooses among these texts, each with a group and a point."""
    script = playing()
    script.emit(se.PossessionGained("investigator/ada", Possession("p2", "item/lantern")))
    question = Question(
        Text("digit", ("Now?",)),
        tuple(
            Choice(f"2.{at}", Text("digit", (text,)), (point,) if point else (), group)
            for at, (text, group, point) in enumerate(choices)
        ),
    )
    script.ask({0: question}, about=Text("digit", ("Now?",)))
    return script


@pytest.mark.parametrize(
    ("typed", "place"),
    [
        ("search", 0),
        ("search hall", 0),
        ("explore door kitchen", 1),
        ("interact study", 2),
        ("look clock", 2),
        ("fight tallyman 1", 3),
        ("use lantern", 4),
        ("move kitchen", 5),
    ],
)
def test_a_choice_is_named_by_what_it_is_about(typed: str, place: int) -> None:
    script = offering(
        ("Go through the coats", "look", Point("token", "token/coats")),
        ("Open what is nailed shut", "look", Point("token", "token/cellar")),
        ("Wind the clock", "look", Point("token", "token/clock")),
        ("Hit it", "fight", Point("monster", "m2")),
        ("Light it", "use", Point("possession", "p2")),
        ("Run away", "move", Point("space", "hall/c")),
    )
    console = Console(script)

    assert console.type(typed) == []

    assert console.port.said == [("answer", 0, (f"2.{place}",))]


def test_whoever_acts_is_no_name_for_a_choice() -> None:
    """A name typed for the previous question would select any choice that points at the actor."""
    about_ada = Point("investigator", "investigator/ada")
    console = Console(offering(("Trade", "use", about_ada), ("Run away", "move", None)))

    console.type("ada")

    assert console.port.said == []


# Commands and choices -------------------------------------------------------------------------


CLASHING = (
    ("Leave it for now", "rest", None),
    ("Look through the keyhole", "look", None),
    ("Open the cupboard", "look", None),
    ("Partake of the soup", "use", None),
    ("Ada gives Lantern to Amos", "use", None),
)


@pytest.mark.parametrize(
    ("typed", "place"),
    [
        ("leave it", 0),
        ("look keyhole", 1),
        ("open cupboard", 2),
        ("open", 2),
        ("give lantern", 4),
        ("soup", 3),
    ],
)
def test_a_choice_is_meant_where_no_command_can_be(typed: str, place: int) -> None:
    console = Console(offering(*CLASHING))

    printed = console.type(typed)

    assert printed == []
    assert console.port.said == [("answer", 0, (f"2.{place}",))]


@pytest.mark.parametrize(
    ("typed", "commands", "choices"),
    [
        ("leave", "/leave", "5 Leave it for now"),
        ("look", "/look", "1 Look through the keyhole"),
        ("par", "/party", "3 Partake of the soup"),
        ("ob", "/objective", ""),
    ],
)
def test_what_could_be_both_is_not_guessed(typed: str, commands: str, choices: str) -> None:
    """A slash before a command and a number for a choice are always unambiguous."""
    console = Console(offering(*CLASHING))

    printed = console.type(typed)

    if choices:
        (both,) = printed
        assert both.startswith("That could be a command or a choice.")
        assert both.endswith(f"the command type {commands}; for a choice its number: {choices}")
    assert not console.port.said
    console.type(commands)
    asked_for = ("list_scenarios", "list_tables", "list_reviews")
    left = [("leave_table",), *((one,) for one in asked_for)]
    assert console.port.said == (left if typed == "leave" else [])


def test_giving_a_seat_away_is_no_trade() -> None:
    console = Console(offering(("Ada gives Bob the lamp", "use", None)))

    (printed,) = console.type("give bob")

    assert printed.startswith("That could be a command or a choice")
    assert not console.port.said


@pytest.mark.parametrize(
    ("line", "printed"),
    [
        ("sta", "That fits several: status; start; stand"),
        ("clai", "Choose whom you play"),
        ("open 1", "open does not help before the game; help says what does."),
        ("ready now", "ready takes nothing after it."),
        ("xyzzy", "“xyzzy” means nothing here; type help to see what does."),
        ("redy", "“redy” means nothing here. Close to it: ready"),
    ],
)
def test_commands_may_be_shortened(line: str, printed: str) -> None:
    assert Console(lobby()).type(line)[-1].startswith(printed)


def test_commands_may_be_shortened_in_french_too() -> None:
    console = Console(playing(), language="fr")

    assert console.type("obj") == console.type("objectif") == console.type("objective")
    assert console.type("reg") == ["Cela peut être plusieurs choses : règle ; réglages"]
    assert console.type("reglages") == console.type("réglages")


# Lines that cannot be read --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "printed"),
    [
        ("x" * (MAX_LINE + 1), f"That line is too long: {MAX_LINE} characters at most."),
        ("mo\x1b[Ave", "That line has characters in it that cannot be seen; type it again."),
        ("say \x00", "That line has characters in it that cannot be seen; type it again."),
        ("say \ufffd", "That line is not all text (UTF-8); nothing was done."),
        ("say " + "x" * 501, "That is too long for one line; send it in two."),
        ("say", "Type what you want to say after it."),
        ("/", "Your choice. Ada Lorne: an action (2 left)"),
        ("/dance", "“dance” means nothing here; type help to see what does."),
        ("journal last x", "How many lines? Type a number after it."),
        ("journal find", "Type the words to look for after it."),
        ("correct tallyman 9", "Type its damage after it, from 0 to 3."),
        ("correct tally 9", "That fits several: 1 Tallyman; 2 Tallyman 1"),
        ("back 99", "There is no choice 99; they go from 1 to 4."),
    ],
)
def test_a_line_that_cannot_be_read_says_why(line: str, printed: str) -> None:
    console = Console(asked())

    assert console.type(line)[0] == printed
    assert not console.port.said


@pytest.mark.parametrize(
    ("console", "printed"),
    [
        (Console(None, is_lobby=True), "Type help for what you can do, or quit to leave."),
        (Console(lobby()), "Choose whom you play: claim NUMBER."),
        (Console(asked()), "Your choice. Ada Lorne: an action (2 left)"),
        (Console(asked(), seat=1), "Waiting for Ann: Ada Lorne: an action (2 left)"),
    ],
)
def test_an_empty_line_says_where_one_is(console: Console, printed: str) -> None:
    said = console.type("  ")

    assert said[0].startswith(printed)
    assert len(said) <= 2


# Haste, and lines that are lost ---------------------------------------------------------------


def test_an_answer_that_was_begun_for_another_question_is_not_given() -> None:
    """The author of the line has not read the question that is open now.

    Commands are still executed.
    """
    console = Console(asked())
    now = console.client.question_id

    for begun in (NO_QUESTION, now - 1, now + 1):
        console.client.hear("4", begun)
        console.client.hear("who", begun)
    assert not console.port.said
    assert console.fresh().count("The question has just come: look again.") == 3

    console.client.hear("4", now)
    assert console.port.said == [("answer", 0, ("1.4",))]


def test_a_line_begun_before_the_same_question_is_asked_again_answers_it() -> None:
    """Another seat settled it, so that only the ids are new; numbers mean what they meant."""
    console = Console(playing())
    assert console.script is not None
    first = action_question()
    begun, ask_id = list[int](), NO_QUESTION
    for prefix in ("7", "8", "9"):
        choices = tuple(
            attrs.evolve(one, choice_id=f"{prefix}.{at}") for at, one in enumerate(first.choices)
        )
        question = attrs.evolve(first, choices=choices, default=())
        ask_id = console.script.ask({0: question, 1: question}, about=first.prompt)
        console.go_on()
        begun.append(console.client.readable_id)
        if prefix != "9":
            console.go_on(events.Answered(1, ask_id, hidden((f"{prefix}.0",))))

    console.client.hear("4", begun[0])
    assert console.port.said == [("answer", ask_id, ("9.4",))]
    assert begun[1:] == begun[:2]


@pytest.mark.issue(38)
def test_a_number_typed_as_the_question_changes_answers_nothing() -> None:
    """Every question counts from 1, and nobody reads one in less than half a second."""
    console = Console(asked())
    assert console.client.readable_id == console.client.question_id == 0
    assert console.script is not None
    console.go_on(events.Answered(0, 0, hidden(("1.1",))))
    console.script.ask({0: action_question()}, about=action_question().prompt)
    console.printed += console.go_on()

    console.client.hear("4", console.client.readable_id)
    assert not console.port.said
    assert console.fresh()[-1] == "The question has just come: look again."
    console.now += 0.5
    console.client.hear("4", console.client.readable_id)
    assert console.port.said == [("answer", 1, ("1.4",))]


@pytest.mark.issue(38)
@pytest.mark.parametrize("language", ["en", "fr"])
def test_who_is_still_awaited_is_not_said_after_each_pass(language: str) -> None:
    """The journal tells each pass.

    The line about waiting is printed again only if other players are awaited.
    """
    script = playing()
    question = Question(
        Text("ask/items", ("item/lantern",)),
        (Choice("1.0", Text("choice/end"), ends=True), Choice("1.1", Text("choice/search"))),
        default=("1.0",),
    )
    console = Console(script, language=language)
    wait = console.model.locale.say("plain.waiting", "{", "{").split("{")[0]
    waits = []
    for _ in range(2):
        ask_id = script.ask(
            dict.fromkeys(range(2), question),
            about=question.prompt,
            settle=Settle.FIRST_OR_ALL_PASS,
        )
        lines = console.go_on()
        lines += console.go_on(events.Passed(0, ask_id))
        lines += console.go_on(events.Passed(1, ask_id), events.Settled(ask_id))
        waits.append([line for line in lines if line.startswith(wait)])

    assert [len(lines) for lines in waits] == [1, 0]


def test_reading_needs_no_line_to_the_server() -> None:
    console = Console(asked())
    console.model.status = Disconnected(3.0, "gone")
    console.model.changed()

    assert console.type("objective") == ["Close the sluice gate before the river does it for you."]
    assert console.type("search")[0].startswith("Not connected to the server; this waits")
    assert not console.port.said

    console.model.status = Online("haunted", "", "")
    console.model.changed()
    assert console.port.said == [("answer", 0, ("1.4",))]


# Rows and hostile lines -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "picks"),
    [
        ("sun moon sun", ("0", "1", "0")),
        ("SUN, two stars, moon", ("0", "2", "1")),
        ("sun stars 2", ("0", "2", "1")),
        ("1 moon 3", ("0", "1", "2")),
        ("a sun, the moon, a sun", ("0", "1", "0")),
    ],
)
def test_a_row_is_typed_in_words(line: str, picks: tuple[str, ...]) -> None:
    names = ("Sun", "Moon", "Two Stars")
    choices = tuple(Choice(str(at), Text(name)) for at, name in enumerate(names))
    question = Question(Text("ask"), choices, (), 3, 3, is_ordered=True, can_repeat=True)
    little = frozenset({"a", "the"})
    row = ListedChoices(0, question, choices, tuple(map(NamedThing, names)), (1, 2, 3), little)

    assert row.means(line)
    assert row.picks(line) == picks


@pytest.mark.parametrize(
    ("make", "language"),
    [
        (lobby, "en"),
        (asked, "fr"),
        (agreeing, "en"),
        (coding, "fr"),
        (None, "en"),
        *(
            pytest.param(make, language, marks=pytest.mark.long)
            for make, language in (
                *((make, "fr") for make in (lobby, agreeing, None)),
                *((make, "en") for make in (asked, coding)),
            )
        ),
    ],
)
def test_no_line_does_harm(make: Callable[[], Script] | None, language: str) -> None:
    """Every line gets an answer or an effect, and the output is printable."""
    rng = random.Random(7)
    words = [load(language).say(f"plain.word.{name}") for name in COMMANDS if name != "quit"]
    odd = ["/", ",", ";", "0", "1", "²", "٣", "-1", "1x", "é\u0301\u0301\u0301", "\u200d", "\u202e"]
    odd += [
        "\x07",
        "\ufffd",
        "hall",
        "the",
        "tally",
        "\u3000",
        "{0}",
        "{key.chat}",
        "<x>",
        "\udc80",
    ]
    console = Console(make() if make else None, language=language, is_lobby=make is None)
    for _ in range(400):
        pieces = rng.choices([*words, *odd], k=rng.randrange(0, 5))
        console.type(rng.choice(["", " "]).join(pieces))
        console.client.complete(" ".join(pieces))
        assert all(line.isprintable() for line in console.printed)
        console.printed.clear()


@pytest.mark.parametrize(
    ("line", "claimed"),
    [
        ("claim vera amos", ("vera", "amos")),
        ("claim ada lorne, vera", ("ada", "vera")),
        ("claim 1 3", ("ada", "vera")),
        ("claim vera vera", ("vera",)),
        ("claim 0", ()),
    ],
)
def test_several_are_claimed_by_their_names(line: str, claimed: tuple[str, ...]) -> None:
    console = Console(lobby())
    console.type(line)

    assert console.port.said == [("claim_pieces", tuple(f"investigator/{one}" for one in claimed))]


def test_who_is_alone_and_claims_a_second_keeps_the_first() -> None:
    """A player who is alone plays two investigators; claiming a third one drops the first two."""
    script = lobby(("Ann",))
    (first,) = script.table.room.seats[0].characters or ("investigator/ada",)
    script.emit(events.CharactersClaimed(0, (first,)))
    console = Console(script)

    console.type("claim vera")
    assert console.port.said == [("claim_pieces", (first, "investigator/vera"))]

    console.go_on(events.CharactersClaimed(0, (first, "investigator/vera")))
    console.port.said.clear()
    console.type("claim amos")
    assert console.port.said == [("claim_pieces", ("investigator/amos",))]


def test_a_question_mark_asks_for_help() -> None:
    console = Console(asked())

    assert console.type("?") == console.type("help")
    assert console.type("? map") == console.type("help map")
    assert console.type("!")[0].startswith("“!” means nothing here")


def test_a_word_that_a_command_has_besides_its_own_never_hides_a_choice() -> None:
    """A line `write off 1` picks the choice, although `write` is an alias of a command."""
    choices = tuple(Choice(f"5.{at}", Text("choice/keep", (at,))) for at in (0, 1))
    script = playing()
    script.ask({0: Question(Text("ask/test"), choices)}, about=Text("ask/test"))
    console = Console(script)
    console.model.words.add("en", (("choice/keep", (("text", "Write off {0}"),)),))
    console.type("question")

    assert console.type("write off 1") == []
    assert console.port.said == [("answer", 0, ("5.1",))]
    console.type("write evening.md")
    assert "evening.md" in console.shelf.files


def test_a_choice_that_is_typed_in_full_is_no_abbreviated_command() -> None:
    """The choice begins with the letters of a command that takes an argument."""
    script = playing()
    choices = (Choice("5.0", Text("choice/stay")), Choice("5.1", Text("choice/end")))
    script.ask({0: Question(Text("ask/test"), choices)}, about=Text("ask/test"))
    console = Console(script)
    console.model.words.add("en", (("choice/stay", (("text", "Sa va for now"),)),))
    console.type("question")

    assert console.type("sa va")[0].startswith("That could be a command or a choice")
    console.port.said.clear()
    console.type("sa va for now")
    assert console.port.said == [("answer", 0, ("5.0",))]


def test_what_is_read_without_a_line_does_not_wait_behind_what_was_typed() -> None:
    console = Console(asked())
    console.model.status = Disconnected(3.0, "gone")
    console.model.changed()
    console.type("search")
    console.client.hear("objective", 0)
    assert console.fresh() == ["Close the sluice gate before the river does it for you."]

    assert console.type("objective")[0].startswith("Not connected to the server; this waits")


def test_who_is_waited_for_is_nobody_where_all_voted_and_differ() -> None:
    script = agreeing()
    script.emit(events.Voted(0, 0, ("9.0",)), origin=0)
    differ = (
        "The votes differ: talk it over and vote again, or type lot to ask for lots; "
        "most of you have to want them."
    )

    assert Console(script).type("who") == [differ]
