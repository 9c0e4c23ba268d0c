"""Advice on Twelfth Night at Vail Hall."""

from client.games.first_edition.bot.advice.forms import Advice

ADVICE = Advice("manor/twelfth-night")
