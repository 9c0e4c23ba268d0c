"""Where the files of whoever runs a command lie, unless they are told otherwise."""

from pathlib import Path

import platformdirs


class NoHome(Exception):
    """Nobody says where the home of this user is."""


def data_folder() -> Path:
    """Return where what must not be lost is kept. NoHome: there is no such place."""
    return _known(platformdirs.PlatformDirs("manse", appauthor=False), "user_data_path")


def config_folder() -> Path:
    """Return where settings are kept. NoHome: there is no such place."""
    return _known(platformdirs.PlatformDirs("manse", appauthor=False), "user_config_path")


def cache_folder() -> Path:
    """Return where what can be made anew is kept. NoHome: there is no such place."""
    return _known(platformdirs.PlatformDirs("manse", appauthor=False), "user_cache_path")


def _known(folders: platformdirs.PlatformDirsABC, name: str) -> Path:
    try:
        found = getattr(folders, name)
    except RuntimeError as error:
        raise NoHome(str(error)) from error
    assert isinstance(found, Path)
    return found
