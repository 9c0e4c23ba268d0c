"""The entries of a pack, for listing them: each id that has a place of its own in the files."""

from collections.abc import Iterator, Mapping

import attrs

from content.reading.yaml_subset import Fields, Listing, Scalar, read_yaml


@attrs.frozen
class PackEntry:
    """The place of a list's entry, or of a scenario, in the files of a pack."""

    id: str
    file: str
    line: int


def entries_in(files: Mapping[str, bytes]) -> Iterator[PackEntry]:
    """Yield the entries of the files of a pack, file by file, in the order of writing."""
    for file, data in sorted(files.items()):
        node, _ = read_yaml(file, data)
        for entry in node.items if isinstance(node, Listing) else (node,):
            if isinstance(entry, Fields) and isinstance(found := entry.values.get("id"), Scalar):
                yield PackEntry(found.text, file, found.line)
