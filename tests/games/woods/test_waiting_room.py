"""Waiting room of a game with roles, on the full screen and in plain mode."""

import pytest

from client.journal.journal import Journal
from client.locale import LANGUAGES, load
from client.plain.client import PlainClient
from client.plugs.face import face_of
from client.screens.base.screen import Desk
from client.screens.ui import Ui
from tests.games.woods.table import Party, a_party
from tests.kit.servers.house import Client

pytestmark = pytest.mark.issue(11)

SIZES = ((24, 80), (40, 120))
"""Rows and columns of the terminals."""


@pytest.fixture(scope="module")
def party() -> Party:
    """Return a party with Kim as the keeper, Ann ready with the badger, and Ben without a claim."""
    party = a_party()
    party.get_ready(party.others[0], "animal/badger")
    return party


def screen_of(client: Client, rows: int, columns: int) -> str:
    ui = Ui(Desk(client.model, client.port, Journal(lambda: client.model.speaker)))
    return ui.draw(rows, columns).plain()


def lobby_of(client: Client) -> list[str]:
    """Return the lines that plain mode prints for `lobby`."""
    printed: list[str] = []
    plain = PlainClient(client.model, client.port, printed.append)
    plain.hear("lobby")
    return "\n".join(printed).splitlines()


def sides_of(text: str) -> tuple[list[str], list[str]]:
    """Return the lines of the seats, and those of the roles and animals beside them."""
    _, _, below = text.partition("─ Seats ")
    middle, _, _ = below.partition("─ Journal ")
    rows = middle.splitlines()[1:]
    gap = next(row.index("> [") for row in rows if "> [" in row)
    seats = [row[:gap].strip() for row in rows]
    rule = next(at for at, row in enumerate(seats) if row.startswith("─"))
    choices = [row[gap:].strip("> ") for row in rows]
    return seats[:rule], [choice for choice in choices if choice.startswith("[")]


@pytest.mark.parametrize(("rows", "columns"), SIZES)
def test_each_seat_stands_with_its_role_and_its_animals(
    party: Party, rows: int, columns: int
) -> None:
    """The keeper plays no animal. A player without a claim is an animal without a name."""
    seats, _ = sides_of(screen_of(party.kim, rows, columns))

    assert seats == ["[ ] Kim (you, host): Keeper", "[x] Ann: Animal, Badger", "[ ] Ben: Animal"]


@pytest.mark.parametrize(("rows", "columns"), SIZES)
def test_the_roles_come_first_and_then_whom_an_animal_can_claim(
    party: Party, rows: int, columns: int
) -> None:
    ann, ben = party.others
    unclaimed = ["[ ] Crane", "[ ] Deer", "[ ] Ermine", "[ ] Finch"]
    roles = ["[x] Animal", "[-] Keeper (Kim)"]

    assert sides_of(screen_of(ann, rows, columns))[1] == [*roles, "[x] Badger", *unclaimed]
    assert sides_of(screen_of(ben, rows, columns))[1] == [*roles, "[-] Badger (Ann)", *unclaimed]


def test_no_word_of_another_game_stands_above_the_animals(party: Party) -> None:
    drawn = screen_of(party.others[0], 24, 80)

    assert "─ Roles / Animals ─" in drawn
    assert "Investigators" not in drawn


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", ["toy", "woods", "second_edition"])
def test_the_word_for_characters_is_the_one_of_the_game(game: str, language: str) -> None:
    """A face may provide the word; the default suits any game."""
    said = load(language).for_game(game).say(face_of(game).characters)

    assert (
        said
        == {
            ("toy", "en"): "Characters",
            ("toy", "fr"): "Personnages",
            ("woods", "en"): "Animals",
            ("woods", "fr"): "Animaux",
            ("second_edition", "en"): "Investigators",
            ("second_edition", "fr"): "Investigateurs",
        }[game, language]
    )


@pytest.mark.parametrize(("rows", "columns"), SIZES)
def test_the_keeper_is_offered_no_animal(party: Party, rows: int, columns: int) -> None:
    _, choices = sides_of(screen_of(party.kim, rows, columns))

    assert choices == ["[ ] Animal", "[x] Keeper"]


@pytest.mark.parametrize(("rows", "columns"), SIZES)
def test_the_next_step_is_that_of_the_role(party: Party, rows: int, columns: int) -> None:
    """The keeper has nothing to choose, an unnamed animal has, and a ready player waits."""
    ann, ben = party.others

    assert "Press Enter when you are ready." in screen_of(party.kim, rows, columns)
    assert "until everybody is ready: Kim, Ben" in screen_of(ann, rows, columns)
    assert "Choose your" in screen_of(ben, rows, columns)


def test_the_keeper_hears_in_plain_lines_who_plays_what(party: Party) -> None:
    assert lobby_of(party.kim) == [
        "Table: A Night in the Woods",
        "Kim (you, host): Keeper",
        "Ann (ready): Animal, Badger",
        "Ben: Animal",
        "Roles:",
        "1. Animal",
        "2. Keeper (Kim)",
        "Type ready when you are.",
    ]


def test_an_animal_hears_in_plain_lines_whom_to_claim(party: Party) -> None:
    _, ben = party.others
    heard = lobby_of(ben)

    assert heard[1:4] == ["Kim (host): Keeper", "Ann (ready): Animal, Badger", "Ben (you): Animal"]
    assert heard[4:13] == [
        "Roles:",
        "1. Animal",
        "2. Keeper (Kim)",
        "Animals:",
        "3. Badger (Ann)",
        "4. Crane",
        "5. Deer",
        "6. Ermine",
        "7. Finch",
    ]
