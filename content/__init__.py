"""Content: packs of scenarios, cards and texts as data; their schema, loader and linter."""

from content.games.second_edition.schema.pack import Pack

__all__ = ["load_core"]


def load_core() -> Pack:
    """
    Return the core pack that comes with the program.

    Raises:
        ContentErrors: see `content.games.second_edition.loader`.
    """
    # The schema is imported by rules, which need no parser.
    from content.games.second_edition.loader import load_core as load  # noqa: PLC0415

    return load()
