"""Advice on Lot Forty."""

from client.games.first_edition.bot.advice.forms import Advice

ADVICE = Advice("manor/lot-forty")
