"""The plug of the first edition: the objects that kernel and lobby look up by the game's name."""

from server.games.first_edition.rules.ruleset import FirstEdition

RULESET = FirstEdition()
