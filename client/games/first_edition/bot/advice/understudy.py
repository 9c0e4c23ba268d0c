"""Advice on The Understudy."""

from client.games.first_edition.bot.advice.forms import Advice

ADVICE = Advice("manor/understudy")
