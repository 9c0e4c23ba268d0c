"""Games and scenarios of this server: their rows in lists, and lookup by name."""

from protocol import messages
from protocol.common.table import RoomTable, table_class
from protocol.common.text import Text
from server.kernel.errors import Refused
from server.lobby.services.seams import ScenarioCard, Shelf


def game_line(ruleset: str) -> messages.GameLine:
    """Return the row of a game in lists."""
    game = table_class(ruleset)
    title, summary = Text(game_subject(ruleset), (), "name"), Text(game_subject(ruleset))
    return messages.GameLine(ruleset, title, summary, game.usual_settings, game.has_settings)


def game_subject(ruleset: str) -> str:
    """Return the subject whose words are the name of a game and a sentence about it."""
    return f"game/{ruleset}"


def line_of(card: ScenarioCard) -> messages.ScenarioLine:
    """Return the row of a scenario in lists."""
    return messages.ScenarioLine(
        card.scenario,
        card.ruleset,
        Text(card.scenario, (), "name"),
        Text(card.scenario, (card.after,) if card.after else ()),
        card.minutes,
        card.difficulty,
        card.roster,
        card.product,
        tuple(messages.ProductLine(*product) for product in card.products.items()),
    )


def subjects_of(card: ScenarioCard) -> tuple[str, ...]:
    """Return the subjects whose words a client needs to show a scenario."""
    # A single role is never named to players.
    roles = card.roster.roles if len(card.roster.roles) > 1 else ()
    named = (f"role/{role.name}" for role in roles)
    return (card.scenario, *named, *card.roster.characters, *card.products)


def digest_of(shelf: Shelf, scenario: str) -> bytes:
    """
    Return the hash of a scenario's content for a new game.

    Refused: there is no such scenario.
    """
    digest = shelf.current(scenario)
    if digest is None:
        raise Refused("table/no_such_scenario")
    return digest


def card_of(shelf: Shelf, scenario: str) -> ScenarioCard:
    """Return the card of a scenario. Refused: no scenario has this name."""
    card = next((card for card in shelf.scenarios() if card.scenario == scenario), None)
    if card is None:
        raise Refused("table/no_such_scenario")
    return card


def must_be_offered(shelf: Shelf, card: ScenarioCard) -> None:
    """Refuse a new table of a game that the operator does not offer."""
    if card.ruleset not in shelf.offered():
        raise Refused("table/game_not_offered")


def must_be_on(shelf: Shelf, room: RoomTable, scenario: str) -> None:
    """Refuse a scenario of another game, or of a product that is switched off at the table."""
    card = card_of(shelf, scenario)
    if card.ruleset != room.ruleset:
        raise Refused("table/another_game")
    if card.product in room.products_off:
        raise Refused("table/product_off")
