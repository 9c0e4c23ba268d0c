"""Default folders for a user's files, by platform."""

from pathlib import Path

import platformdirs

SOLO = "solo"
"""Name of the folder, beside other servers' folders, of the server of `manse solo`."""


class NoHome(Exception):
    """The home folder of this user is unknown."""


def data_folder() -> Path:
    """Return the folder for data that must not be lost. May raise NoHome."""
    return _known(platformdirs.PlatformDirs("manse", appauthor=False), "user_data_path")


def config_folder() -> Path:
    """Return the folder for settings. May raise NoHome."""
    return _known(platformdirs.PlatformDirs("manse", appauthor=False), "user_config_path")


def cache_folder() -> Path:
    """Return the folder for data that can be recreated. May raise NoHome."""
    return _known(platformdirs.PlatformDirs("manse", appauthor=False), "user_cache_path")


def _known(folders: platformdirs.PlatformDirsABC, name: str) -> Path:
    try:
        found = getattr(folders, name)
    # pathlib raises this for a user without a home folder.
    except RuntimeError as error:
        raise NoHome(str(error)) from error
    assert isinstance(found, Path)
    return found
