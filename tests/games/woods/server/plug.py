"""The woods as the server finds them."""

from tests.games.woods.server.rules import WoodsRules

RULESET = WoodsRules()
