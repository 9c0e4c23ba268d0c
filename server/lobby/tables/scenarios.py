"""Scenarios: how the scenarios of this server are listed, and found by what somebody names."""

from protocol import messages
from protocol.common.table import RoomTable
from protocol.common.text import Text
from server.kernel.errors import Refused
from server.lobby.services.seams import ScenarioCard, Shelf


def line_of(card: ScenarioCard) -> messages.ScenarioLine:
    """Return what a client is told of a scenario."""
    return messages.ScenarioLine(
        card.scenario,
        card.ruleset,
        Text(card.scenario, (), "name"),
        Text(card.scenario),
        card.minutes,
        card.difficulty,
        card.roster,
        card.product,
        tuple(messages.ProductLine(*product) for product in card.products.items()),
    )


def subjects_of(card: ScenarioCard) -> tuple[str, ...]:
    """Return of what a client needs the words to show a scenario."""
    roles = card.roster.roles if len(card.roster.roles) > 1 else ()
    named = (f"role/{role.name}" for role in roles)
    return (card.scenario, *named, *card.roster.characters, *card.products)


def digest_of(shelf: Shelf, scenario: str) -> bytes:
    """Return the hash of the content that a new game is played with. Refused: there is none."""
    digest = shelf.current(scenario)
    if digest is None:
        raise Refused("table/no_such_scenario")
    return digest


def card_of(shelf: Shelf, scenario: str) -> ScenarioCard:
    """Return what the lobby knows of a scenario. Refused: there is none of that name."""
    card = next((card for card in shelf.scenarios() if card.scenario == scenario), None)
    if card is None:
        raise Refused("table/no_such_scenario")
    return card


def must_be_on(shelf: Shelf, room: RoomTable, scenario: str) -> None:
    """Refuse a scenario of another game than a room's, or of a product that is switched off."""
    card = card_of(shelf, scenario)
    if card.ruleset != room.ruleset:
        raise Refused("table/another_game")
    if card.product in room.products_off:
        raise Refused("table/product_off")
