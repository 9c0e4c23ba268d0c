"""Small stumbling blocks for newcomers: keys, invitations, menus, replay positions."""

import attrs
import pytest

from client.journal.journal import Journal
from client.keymap.keys import Action
from client.locale import LANGUAGES
from client.model.lobby import SOLO, TUTORIAL
from client.model.model import ANY_SEAT, WATCH, Bar, ClientModel
from client.model.status import Online
from client.screens.base.screen import Desk
from client.screens.table.proposals import proposals_menu
from client.screens.ui import Ui
from protocol.common.events import HowClosed, Proposed, RoomClosed
from protocol.common.table import Proposal
from protocol.common.text import Text
from protocol.invitation import code_text
from protocol.keys import fingerprint_text
from tests.games.second_edition.client.console import Console
from tests.games.second_edition.client.scripted import ROOM, Script, asked, lobby
from tests.games.second_edition.client.stage import OnStage, RecordingPort, model_of, play

pytestmark = pytest.mark.issue(14)


def inviting(script: Script) -> ClientModel:
    """Return the model of a player with both invitations: to any seat, and to watch."""
    model = model_of(script)
    model.status = Online("haunted", fingerprint_text(b"f" * 32), "haunted.example:4470")
    model.set_codes(ROOM, {ANY_SEAT: code_text(b"0123456789"), WATCH: code_text(b"9876543210")})
    return model


def offered(model: ClientModel) -> list[str]:
    """Return the items in the menu of proposals."""
    assert model.view is not None
    desk = Desk(model, RecordingPort(), Journal(lambda: model.speaker))
    return [item.text for item in proposals_menu(desk, model.view).items]


def test_a_line_feed_is_enter() -> None:
    """Ctrl-J and some terminals and scripts send a line feed."""

    async def choose(stage: OnStage) -> None:
        await stage.press_raw("\n")

    assert play(model_of(asked()), choose).port.said == [("answer", 0, ("1.1",))]


@pytest.mark.parametrize(("language", "is_left"), [("fr", True), ("en", False)])
def test_yes_is_the_first_letter_of_its_word(language: str, *, is_left: bool) -> None:
    model = model_of(asked(), language=language)
    ended: list[bool] = []
    desk = Desk(model, RecordingPort(), Journal(lambda: model.speaker))
    desk.quit = lambda: ended.append(True)
    ui = Ui(desk)

    ui.draw(24, 80)
    ui.press("q")
    ui.press("o")

    assert bool(ended) is is_left


@pytest.mark.parametrize(("columns", "is_shown"), [(80, False), (160, True)])
def test_an_invitation_is_never_broken_in_two(columns: int, *, is_shown: bool) -> None:
    """If the line has no room for the invitation, it names the key that shows it."""
    model = inviting(lobby())

    async def look(stage: OnStage) -> None:
        assert (model.invitation() in stage.text) is is_shown
        assert ("manse join" in stage.text) is is_shown
        assert ("shows it" in stage.text) is True

    play(model, look, rows=24, columns=columns)


def test_the_invitation_to_watch_can_be_reached_during_the_game() -> None:
    assert "Show the invitation to watch" in offered(inviting(asked()))
    assert "Show the invitation to watch" not in offered(model_of(asked()))


def test_a_table_for_one_player_offers_no_seat_to_anybody() -> None:
    model = inviting(asked())
    assert any("Bob" in line for line in offered(model))

    model = attrs.evolve(model, launch=SOLO)
    assert not any("Bob" in line or "watch" in line for line in offered(model))


def test_a_replay_counts_events_as_files_and_commands_do() -> None:

    async def step(stage: OnStage) -> None:
        await stage.press(".")
        assert "REPLAY: event 0 of " in stage.text
        await stage.press(".")
        assert "REPLAY: event 1 of " in stage.text
        await stage.press("end")
        _, _, count = stage.text.partition("REPLAY: event ")
        at, _, most = count.split()[:3]
        assert at == most.strip(",")

    play(model_of(None), step, replay=asked())


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("rows", "is_whole"), [(24, True), (12, False)])
def test_a_long_message_stands_there_whole(language: str, rows: int, *, is_whole: bool) -> None:
    model = model_of(asked(), language=language)
    said = model.locale.say("error.table/not_invited")
    model.bar = Bar(said, is_wrong=True)

    async def look(stage: OnStage) -> None:
        *_, last = lines = stage.text.splitlines()
        assert (said.replace("\xa0", " ") in " ".join(map(str.strip, lines))) is is_whole
        assert model.locale.say("hint.leave") in last

    play(model, look, rows=rows)


@pytest.mark.parametrize(("seat", "key", "said"), [(0, "y", False), (0, "n", None), (1, "y", True)])
def test_nobody_is_asked_to_agree_to_what_they_proposed(
    seat: int, key: str, said: bool | None
) -> None:
    script = asked()
    script.emit(Proposed(Proposal(0, "give_up", 0)))
    consents = [] if said is None else [("consent", 0, said)]

    async def look(stage: OnStage) -> None:
        assert ("┌ Do you agree?" in stage.text) is (seat == 1)
        if seat == 0:
            assert "y proposal" in stage.text.splitlines()[-1]
            await stage.press("y")
            assert "You are in favour." in stage.text
        await stage.press(key)

    model = model_of(script, seat=seat)
    assert [
        one for one in play(model, look, columns=120).port.said if one[0] == "consent"
    ] == consents


def helped(model: ClientModel) -> str:
    seen: list[str] = []

    async def look(stage: OnStage) -> None:
        await stage.press("?")
        seen.append(stage.text)

    play(model, look, rows=60, columns=160)
    return seen[0]


@pytest.mark.parametrize("seat", [0, 1])
def test_before_a_game_help_lists_only_what_can_be_done(seat: int) -> None:
    model, inviter = model_of(lobby(), seat=seat), inviting(lobby())
    say = model.locale.say
    text = helped(model)

    for action in ("start", "bot", "remove"):
        assert (say(f"key.{action}") in text) is (seat == 0)
    assert say("key.empty_seat") not in text
    assert say("key.copy") not in text
    assert say("key.copy") in helped(inviter)
    assert say("key.chat") in text


def test_the_tutorial_offers_no_bot_no_other_scenario_and_nobody_to_talk_to() -> None:
    model = attrs.evolve(model_of(lobby(("Ann",))), launch=TUTORIAL)
    line = model.lobby.scenarios[0] if model.lobby.scenarios else None
    assert line is not None
    alone = attrs.evolve(line, roster=attrs.evolve(line.roster, fewest=1, most=1))
    model.update_lobby(scenarios=(alone,))
    text = helped(model)

    for action in ("bot", "scenario", "campaign", "setup", "chat", "invitation", "lot"):
        assert model.locale.say(f"key.{action}") not in text
    for action in ("start", "ready", "cards"):
        assert model.locale.say(f"key.{action}") in text


@pytest.mark.parametrize("is_solo", [True, False])
def test_plain_help_lists_no_command_that_can_do_nothing_at_this_table(*, is_solo: bool) -> None:
    console = Console(asked())
    view = console.model.view
    assert view is not None
    if is_solo:
        console.model.launch = SOLO
        view.table = view.table.with_room(seats={0: view.table.room.seats[0]})

    listed = {line.partition(":")[0] for line in console.type("help")}

    for name in ("say", "lot", "agree", "refuse", "give", "invite"):
        assert (name in listed) is not is_solo
    assert "reactions" not in listed
    assert {"question", "back", "concede", "journal", "quit"} <= listed
    assert "reactions" in {line.partition(":")[0] for line in console.type("help all")}


def test_plain_help_lists_nothing_to_propose_once_a_game_is_over() -> None:
    script = asked()
    script.emit(RoomClosed((), HowClosed.GIVEN_UP))

    listed = {line.partition(":")[0] for line in Console(script).type("help")}

    assert not {"back", "give", "concede", "agree", "resume", "lot"} & listed
    assert {"again", "review", "say", "journal"} <= listed


@pytest.mark.issue(38)
def test_nothing_is_left_to_pass_on_once_a_game_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    script = asked()
    model = model_of(script)
    assert model.view is not None
    monkeypatch.setattr(model.view.table.room, "kinds", ("order/tie",))
    ui = Ui(Desk(model, RecordingPort(), Journal(lambda: model.speaker)))
    assert "a where asked" in ui.draw(24, 200).plain()

    script.emit(RoomClosed((), HowClosed.GIVEN_UP))
    model.pass_steps(model.view.receive(script.cuts(0, model.view.last + 1)))

    assert "where asked" not in ui.draw(24, 200).plain()
    ui.press("a")
    assert "The game is over" in ui.draw(24, 200).plain()


def test_plain_mode_lists_the_tables_once_its_own_is_gone() -> None:
    console = Console(lobby())
    console.fresh()
    console.model.follow(None)
    console.model.changed()

    assert console.fresh() == [
        "You have no table here. Type open to begin one, or join INVITATION to sit down at one."
    ]


def test_giving_up_is_asked_once_more() -> None:
    model = model_of(asked())
    port = RecordingPort()
    desk = Desk(model, port, Journal(lambda: model.speaker))
    assert model.view is not None
    (give_up,) = (i for i in proposals_menu(desk, model.view).items if i.text == "Give the game up")

    give_up.run()
    assert port.said == []
    desk.boxes[-1].act(Action.YES, "")

    assert port.said == [("propose_give_up",)]


def test_plain_mode_says_first_what_giving_up_means() -> None:
    console = Console(asked())

    (said,) = console.type("concede")
    assert said.startswith("To propose that the game ends here, for good, type: concede agree.")
    assert console.port.said == []
    console.type("concede agree")

    assert console.port.said == [("propose_give_up",)]


def test_a_game_that_was_given_up_says_so_in_place_of_a_question() -> None:
    script = asked()
    script.emit(RoomClosed((), HowClosed.GIVEN_UP))

    async def look(stage: OnStage) -> None:
        assert "The game was given up by agreement." in stage.text
        # It is nobody's turn any more.
        assert "actions left" not in stage.text
        assert "2 act." not in stage.text
        await stage.press("p")
        assert "┌ Proposals" not in stage.text

    play(model_of(script), look, rows=40, columns=120)


def over(*, with_others: bool) -> ClientModel:
    """Return the model of a finished table, with two other scenarios or none."""
    script = asked()
    script.emit(RoomClosed((), HowClosed.GIVEN_UP))
    model = model_of(script)
    assert model.view is not None
    assert model.lobby.scenarios is not None
    (line,) = model.lobby.scenarios
    here = attrs.evolve(line, scenario=model.view.table.room.scenario)
    first, last = (
        attrs.evolve(line, scenario=f"core/{name}", title=Text(f"scenario/{name}"))
        for name in ("first", "last")
    )
    foreign = attrs.evolve(line, scenario="toy/hop", ruleset="toy")
    model.update_lobby(scenarios=(first, here, foreign, last) if with_others else (here, foreign))
    return model


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ("\r", ("play_again", "")),
        ("j\r", ("play_again", "core/last")),
        ("jj\r", ("play_again", "core/first")),
    ],
)
def test_what_is_played_next_is_chosen_at_the_end(keys: str, said: tuple[str, str]) -> None:

    async def choose(stage: OnStage) -> None:
        await stage.press("n")
        assert "┌ Another game with the same people" in stage.text
        for key in keys:
            await stage.press({"\r": "enter", "j": "down"}[key])

    assert play(over(with_others=True), choose).port.said == [said]


@pytest.mark.parametrize("is_chosen", [False, True])
def test_nothing_is_asked_where_nothing_can_be_chosen(*, is_chosen: bool) -> None:
    model = over(with_others=is_chosen)
    assert model.view is not None
    model.update_lobby(continued=frozenset({model.view.room_id} if is_chosen else ()))

    async def press(stage: OnStage) -> None:
        await stage.press("n")

    assert play(model, press).port.said == [("play_again", "")]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("again", [("play_again", "")]),
        ("again 1", [("play_again", "core/last")]),
        ("again 2", [("play_again", "core/first")]),
        ("again 3", []),
    ],
)
def test_plain_mode_takes_what_is_played_next(line: str, said: list[tuple[str, str]]) -> None:
    script = asked()
    script.emit(RoomClosed((), HowClosed.GIVEN_UP))
    console = Console(script)
    console.model.update_lobby(scenarios=over(with_others=True).lobby.scenarios)

    console.type(line)

    assert console.port.said == said


def test_where_there_is_no_help_no_key_for_it_is_named() -> None:
    model = model_of(asked())
    desk = Desk(model, RecordingPort(), Journal(lambda: model.speaker))
    ui = Ui(desk)
    ui.draw(24, 80)
    ui.press("q")

    ui.press("?")

    assert model.bar.text == "? does nothing here"


@pytest.mark.issue(38)
@pytest.mark.parametrize("whole", [False, True])
def test_home_leads_to_the_start_as_end_leads_back(*, whole: bool) -> None:
    """Home and End move the map and, unless the map fills the screen, also the journal."""

    async def look(stage: OnStage) -> None:
        await stage.press(*(["w"] if whole else []))
        at_first = stage.text
        await stage.press("home")
        if not whole:
            assert "Ann sat down." in stage.text
            assert "Ann sat down." not in at_first
        home = stage.text
        await stage.press("K", "H")
        assert stage.text == home
        await stage.press("end")
        assert stage.text == at_first

    play(model_of(asked()), look)
