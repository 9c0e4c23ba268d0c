"""The styles that the first edition adds to those of every game."""

from collections.abc import Mapping

from client.widgets.looks import FIGURES, Look

LOOKS: Mapping[str, Look] = {
    "token": Look("bold", role="way"),
    "feature": Look("bold"),
    "feature.barricade": Look("bold", role="way"),
    "feature.darkness": Look("bold", role="line"),
    "feature.fire": Look("bold", role="bad"),
    "feature.ladder": Look("bold", role="way"),
    "feature.duct": Look("bold", role="way"),
    "feature.altar": Look("bold", role="strange"),
    "feature.pit": Look("bold", role="bad"),
    "feature.boat": Look("bold", role="good"),
    "feature.under": Look("bold", role="way"),
    "ground.water": Look("bold", role="name"),
    "ground.outdoor": Look(role="good"),
    "ally": Look("bold", role="good"),
    "monster": Look("bold", role="bad"),
    "figure": Look("bold"),
    **{f"figure.{at}": Look("bold", role=f"figure.{at}") for at in range(FIGURES)},
    "damage": Look(role="bad"),
    "horror": Look(role="strange"),
    "clues": Look(role="good"),
    "marker": Look("bold", role="way"),
    "turn": Look("bold", role="good"),
}
