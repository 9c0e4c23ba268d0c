"""What a player reads and types about bots in roles, and about seats that are kept apart."""

import attrs
import pytest

from client.journal.journal import Journal
from client.locale import LANGUAGES, load
from client.plain.client import PlainClient
from client.screens.base.screen import Desk
from client.screens.ui import Ui
from tests.games.woods.house import WoodsHouse
from tests.games.woods.protocol.table import ANIMAL, KEEPER
from tests.games.woods.table import a_game
from tests.kit.servers.house import Client
from tests.kit.servers.tables import room_of, seat_all

pytestmark = pytest.mark.issue(39)


@attrs.define(eq=False)
class Plain:
    """A player in plain mode."""

    client: Client
    printed: list[str] = attrs.field(factory=list)
    plain: PlainClient = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.plain = PlainClient(self.client.model, self.client.port, self.printed.append)

    def type(self, line: str) -> str:
        """Type a line; return what is printed for it."""
        before = len(self.printed)
        self.plain.hear(line)
        self.client.house.settle()
        return "\n".join(self.printed[before:])


def hosting(language: str = "en") -> Client:
    """Return the host of a table of the woods."""
    (ann,) = seat_all(WoodsHouse(), ["Ann"])
    ann.model.locale = load(language)
    return ann


def screen_of(client: Client) -> Ui:
    return Ui(Desk(client.model, client.port, Journal(lambda: client.model.speaker)))


def roles(client: Client) -> list[str]:
    return [seat.role for seat in room_of(client.house, client).seats.values()]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("rows", "columns"), [(24, 80), (10, 40)])
def test_a_bot_is_asked_for_in_a_role(language: str, rows: int, columns: int) -> None:
    ann = hosting(language)
    ui = screen_of(ann)

    ui.press("b")

    drawn = ui.draw(rows, columns).plain()
    # A line may break at no-break spaces, which are drawn as others.
    assert " ".join(ann.model.locale.say("box.bot").split()) in " ".join(drawn.split())
    ui.press("down")
    ui.press("enter")
    ann.house.settle()
    assert roles(ann) == ["", KEEPER]


def test_a_role_that_is_full_is_not_offered_to_a_bot() -> None:
    ann = hosting()
    ann.port.claim_role(KEEPER)
    ann.house.settle()
    ui = screen_of(ann)

    ui.press("b")
    ui.press("enter")
    ann.house.settle()

    assert roles(ann) == [KEEPER, ANIMAL]


@pytest.mark.parametrize("line", ["bot keeper", "bot Keeper", "bot 2"])
def test_plain_mode_names_the_role_of_a_bot(line: str) -> None:
    ann = hosting()

    Plain(ann).type(line)

    assert roles(ann) == ["", KEEPER]


def test_plain_mode_asks_for_the_role() -> None:
    ann = hosting()
    plain = Plain(ann)

    asked = plain.type("bot")
    assert roles(ann) == [""]
    plain.type("2")

    assert asked.splitlines() == ["1. Animal", "2. Keeper", "bot NUMBER seats a bot in that role."]
    assert roles(ann) == ["", KEEPER]


def test_an_unknown_role_is_no_bot() -> None:
    ann = hosting()

    Plain(ann).type("bot wolf")

    assert roles(ann) == [""]


@pytest.mark.parametrize("language", LANGUAGES)
def test_whoever_gives_a_seat_away_reads_first_what_goes_with_it(language: str) -> None:
    party = a_game()
    kim, (ann, _) = party.kim, party.others
    for client in (kim, ann):
        client.model.locale = load(language)
    ui = screen_of(kim)
    ui.press("p")
    ui.press("down")
    ui.press("enter")
    said = " ".join(kim.model.locale.say("propose.apart").split())
    box = " ".join(ui.draw(30, 100).plain().replace("│", " ").split())
    assert said.partition(".")[0] in box
    assert room_of(party.house, kim).proposal is None

    ui.press("y" if language == "en" else "o")
    party.house.settle()

    proposal = room_of(party.house, kim).proposal
    assert proposal is not None
    assert proposal.kind == "give_seat"
    told = Plain(ann).type("proposal" if language == "en" else "proposition")
    assert ann.model.locale.say("consent.apart").partition(".")[0] in " ".join(told.split())


def test_plain_mode_says_what_goes_with_a_seat() -> None:
    told = Plain(a_game().kim).type("give")

    assert "Roles are kept apart in this game." in told
