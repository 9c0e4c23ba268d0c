"""The ids by which the table names its parts."""

InvestigatorId = str
MonsterId = str
"""Id of a monster on the board, such as `m3`."""
SpaceId = str
RoomId = str
FeatureId = str
PieceId = str
"""Id of an item in play, such as `i7`."""
CardId = str
AllyId = str
"""Id of the card of an ally, such as `ally/ferryman`."""
CharacterId = str
"""Id of an investigator or of an ally."""
