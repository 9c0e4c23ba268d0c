"""Opening a table on a server of several games: on the full screen and in plain mode."""

import attrs
import pytest

from client.journal.journal import Journal
from client.locale import LANGUAGES, load
from client.model.found_games import ALL_GAMES
from client.plain.client import PlainClient
from client.plain.settings import unusual_settings
from client.plain.words import table_line
from client.screens.base.screen import Desk
from client.screens.lobby.found_words import found_line
from client.screens.lobby.games_wanted import GamesWantedBox
from client.screens.review.review_words import review_line
from client.screens.ui import Ui
from client.widgets.canvas import Spot
from protocol import messages
from protocol.common.table import MAX_OBSERVERS, Observer, Settings, Stage
from protocol.common.text import Text
from protocol.errors import ProtocolError
from protocol.messages.from_server import MAX_SETTINGS
from tests.games.club import TOY, WOODS, Club
from tests.kit.servers.house import Client, House
from tests.kit.servers.tables import room_of

pytestmark = pytest.mark.issue(39)

SIZES = ((24, 80), (40, 120))
"""Rows and columns of the terminals."""


@attrs.define(eq=False)
class Seen:
    """A client in the lobby with its full screen and plain mode."""

    client: Client
    ui: Ui
    plain: PlainClient
    printed: list[str]
    rows: int = 24
    columns: int = 80

    @property
    def text(self) -> str:
        return self.ui.draw(self.rows, self.columns).plain().replace("\u00a0", " ")

    def press(self, *keys: str) -> str:
        for key in keys:
            self.ui.press(key)
        return self.text

    def type(self, line: str) -> str:
        """Type a line in plain mode; return what is printed."""
        self.printed.clear()
        self.plain.hear(line)
        return "\n".join(self.printed).replace("\u00a0", " ")


def seen(house: House, language: str = "en", rows: int = 24, columns: int = 80) -> Seen:
    """Connect a person with a full screen and plain mode."""
    client = house.client("Ann", language=language)
    ui = Ui(Desk(client.model, client.port, Journal(lambda: client.model.speaker)))
    printed: list[str] = []
    plain = PlainClient(client.model, client.port, printed.append)
    return Seen(client, ui, plain, printed, rows, columns)


def opened(house: House, one: Seen) -> tuple[str, Settings]:
    """Return scenario and settings of the table that a client has opened."""
    house.settle()
    room = room_of(house, one.client)
    return room.scenario, room.settings


# The full screen ----------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("rows", "columns"), SIZES)
def test_a_game_is_chosen_first_by_its_name_and_sentence(
    rows: int, columns: int, language: str
) -> None:
    house = Club()
    ann = seen(house, language, rows, columns)
    woods, night, sentence, takebacks = {
        "en": ("The Woods", "A Night in the Woods", "A keeper lays a snare", "Takebacks: none"),
        "fr": (
            "Les bois",
            "Une nuit dans les bois",
            "Un garde pose un collet",
            "Retours : aucun",
        ),
    }[language]

    games = ann.press("n")
    assert woods in games
    assert night not in games
    assert takebacks not in games

    there = ann.press("down")
    assert f"> {woods}" in there
    assert sentence in " ".join(there.split())

    scenarios = ann.press("enter")
    assert f"─ {woods} ─" in scenarios
    assert f"> {night}" in scenarios
    assert takebacks in scenarios
    assert f"> {woods}" in ann.press("escape")


def test_settings_begin_as_is_usual_in_the_game_and_are_those_that_it_has() -> None:
    house = Club()
    ann = seen(house, rows=40, columns=120)

    woods = ann.press("n", "down", "enter", "tab")
    assert "> Takebacks: none" in woods
    assert "Orders and ties" not in woods
    assert "Each window" not in woods

    second = ann.press(" ", "escape", "up", "enter")
    assert "Takebacks: allowed" in second
    assert "Orders and ties: the table is asked" in second
    assert "Each window is open for 10 seconds" in ann.press("escape", "up", "enter")

    # The change of one game is kept, and changes no other.
    assert "Takebacks: allowed" in ann.press("escape", "up", "enter")
    ann.press("enter")
    assert opened(house, ann) == (WOODS, Settings(takebacks=True))


def test_a_table_opens_with_the_usual_settings_of_its_game() -> None:
    house = Club()
    ann = seen(house)

    ann.press("n", "down", "enter", "enter")

    assert opened(house, ann) == (WOODS, Settings(takebacks=False))


def test_at_an_open_table_the_scenarios_of_its_game_alone_are_chosen_from() -> None:
    house = Club()
    ann = seen(house)
    ann.press("n", "down", "enter", "enter")
    house.settle()

    shown = ann.press("n")

    assert "Another scenario" in shown
    assert "> A Night in the Woods" in shown
    assert "Harrow" not in shown
    assert "The Toy" not in shown
    listed = ann.type("scenario")
    assert listed.startswith("1. A Night in the Woods")
    assert "Harrow" not in listed


@pytest.mark.parametrize("games", [("second_edition",), ("woods",)])
def test_with_one_game_the_screen_has_its_scenarios_at_once(games: tuple[str, ...]) -> None:
    shown = seen(Club(games=games)).press("n")

    assert "─ Scenarios ─" in shown
    assert "Games" not in shown
    assert "At this table" in shown


def test_games_that_are_not_offered_are_not_shown() -> None:
    ann = seen(Club(games=("toy", "woods")))

    assert "Second Edition" not in ann.press("n")
    assert "Harrow" not in ann.press("enter")
    assert "Harrow" not in ann.type("open")


def test_a_click_goes_to_a_game_and_a_second_one_chooses_it() -> None:
    ann = seen(Club())
    ann.press("n")
    screen = ann.ui.top()

    screen.click([Spot("pane", "0"), Spot("item", "1")])
    assert "> The Woods" in ann.text
    screen.click([Spot("pane", "0"), Spot("item", "1")])
    assert "> A Night in the Woods" in ann.text


def test_finished_games_are_searched_by_scenarios_under_their_games() -> None:
    ann = seen(Club(), rows=40, columns=120)
    assert ann.text
    box = GamesWantedBox(ann.ui.desk, "box.games_wanted", (), lambda _: None, ALL_GAMES)
    box._choose_scenario()

    shown = ann.text
    assert "The Woods: A Night in the Woods" in shown
    assert "The Toy: A Day in the Woods" in shown


# Plain mode ---------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_scenarios_stand_under_their_game_with_its_sentence(language: str) -> None:
    told = seen(Club(), language).type("open" if language == "en" else "ouvrir").splitlines()
    heading, night = {
        "en": ("The Woods: A keeper lays a snare", "A Night in the Woods"),
        "fr": ("Les bois : Un garde pose", "Une nuit dans les bois"),
    }[language]

    at = next(at for at, line in enumerate(told) if line.startswith(heading))
    assert night in told[at + 1]
    assert sum(line.startswith("1. ") for line in told) == 1


@pytest.mark.parametrize("typed", ["the woods", "woods", "Woods"])
def test_the_name_of_a_game_lists_its_scenarios_alone(typed: str) -> None:
    told = seen(Club()).type(f"open {typed}")

    assert "A Night in the Woods" in told
    assert "Harrow" not in told
    assert "The Woods, unless you type otherwise (takebacks): Takebacks: none." in told
    assert "window SECONDS" not in told


def test_a_typed_table_has_the_usual_settings_of_its_game_and_what_was_typed() -> None:
    for typed, settings in (
        ("open a night in the woods", Settings(takebacks=False)),
        (
            "open a night in the woods watch",
            Settings(takebacks=False, spectators=True),
        ),
        ("open a night in the woods takebacks", Settings()),
    ):
        house = Club()
        ann = seen(house)
        ann.type(typed)
        assert opened(house, ann) == (WOODS, settings)


def test_a_setting_that_the_game_has_not_is_refused() -> None:
    house = Club()
    ann = seen(house)

    assert ann.type("open a night in the woods usual") == (
        "This game has no use for that table setting: usual."
    )
    ann.type("open a day in the woods stops window 20")
    assert opened(house, ann) == (TOY, Settings(stops=True, window_seconds=20))


@pytest.mark.parametrize(
    ("language", "typed", "said"),
    [("en", "interrupt 7", "interrupt SECONDS"), ("fr", "interrompre 7", "interrompre SECONDES")],
)
def test_the_time_to_interrupt_is_typed_as_it_is_listed(
    language: str, typed: str, said: str
) -> None:
    house = Club()
    ann = seen(house, language)
    game, scenario, open_ = {
        "en": ("woods", "a night in the woods", "open"),
        "fr": ("bois", "une nuit dans les bois", "ouvrir"),
    }[language]

    assert said in ann.type(f"{open_} {game}")
    ann.type(f"{open_} {scenario} {typed}")
    assert opened(house, ann) == (WOODS, Settings(takebacks=False, least_seconds=7))


# A hostile server ---------------------------------------------------------------------------


def line(ruleset: str, *has: str, settings: Settings | None = None) -> messages.GameLine:
    return messages.GameLine(ruleset, Text("game/x"), Text("game/x"), settings or Settings(), has)


def told(ann: Seen, *games: messages.GameLine) -> str:
    """Have the server list other games with its scenarios; return the screen that opens a table."""
    scenarios = ann.client.session.last(messages.Scenarios).lines
    ann.client.port.received(messages.Scenarios(99, scenarios, games))
    return ann.press("n")


def test_names_of_settings_that_nobody_knows_have_no_effect() -> None:
    names = ("", "frog", "observers", "__class__", "spectators", "takebacks")
    shown = told(seen(Club()), line("woods", *names))

    assert "Takebacks: allowed" in shown
    assert shown.count("Spectators") == 1


def test_scenarios_without_a_game_are_not_offered_and_games_without_scenarios_neither() -> None:
    ann = seen(Club())

    shown = told(ann, line("woods"), line("owls"), line("woods", "stops"))

    assert "─ Scenarios ─" in shown
    assert "Harrow" not in shown
    assert "Harrow" not in ann.type("open")


def test_without_any_game_nothing_is_offered() -> None:
    ann = seen(Club())

    assert "The server has not said yet what can be played." in told(ann)
    ann.press("enter")
    assert ann.type("open") == ann.type("open 1")


def test_no_server_names_an_observer_for_a_host() -> None:
    house = Club()
    ann = seen(house)
    spy = tuple(Observer(f"Spy {at}", bytes([at]) * 32) for at in range(MAX_OBSERVERS))

    told(ann, line("woods", settings=Settings(observers=spy, by_calendar=True)))
    ann.press("enter")

    assert opened(house, ann) == (WOODS, Settings())


def test_a_game_with_too_many_settings_cannot_be_sent() -> None:
    with pytest.raises((ProtocolError, ValueError)):
        line("woods", *(f"s{at}" for at in range(MAX_SETTINGS + 1)))


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", ("Time to interrupt: 9 seconds", "interrupt 4")),
        ("fr", ("Temps pour interrompre : 9 secondes", "interrompre 4")),
    ],
)
def test_the_usual_time_to_interrupt_is_named_if_it_is_another(
    language: str, said: tuple[str, str]
) -> None:
    game = line("woods", "least_seconds", settings=Settings(least_seconds=9))

    [(words, typed)] = unusual_settings(load(language), game)

    assert (words.replace("\u00a0", " "), typed) == said


# Lists of games that were played ------------------------------------------------------------


@pytest.mark.issue(40)
@pytest.mark.parametrize("language", LANGUAGES)
def test_lists_name_the_game_of_each_table_where_there_are_several(language: str) -> None:
    """The titles alone do not tell to which game a scenario belongs."""
    club, alone = seen(Club(), language), seen(House(), language)
    woods = {"en": "The Woods: A Night in the Woods", "fr": "Les bois : Une nuit dans les bois"}
    outcome = messages.GameResult.WON
    names = ("Ann", "Ben")
    one = messages.FoundGame("r1", WOODS, names, 1, True, False, (), False, outcome)
    line = messages.TableLine("r1", WOODS, Stage.OVER, names, is_my_turn=False, when=1)
    together = messages.ReviewLine("r1", WOODS, names, ("Ann",))
    model = club.client.model

    for said in (
        found_line(model, one, None),
        table_line(model.speaker, model, line),
        review_line(model, together),
    ):
        assert said.replace("\u00a0", " ").startswith(woods[language])
    marsh = attrs.evolve(one, scenario="core/marsh")
    assert ":" not in found_line(alone.client.model, marsh, None).split("Ann")[0].rstrip(": \u00a0")
