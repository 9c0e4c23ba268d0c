"""The looks that the card game adds to those of any game."""

from collections.abc import Mapping

from client.widgets.looks import FIGURES, Look

LOOKS: Mapping[str, Look] = {
    **{f"figure.{at}": Look("bold", role=f"figure.{at}") for at in range(FIGURES)},
    "enemy": Look("bold", role="bad"),
    "damage": Look(role="bad"),
    "horror": Look(role="strange"),
    "clues": Look(role="good"),
    "token": Look("bold", role="way"),
}
