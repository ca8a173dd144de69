"""The two aliases for JSON data; the only place where ``Any`` is spelled."""

from typing import Any, TypeAlias

#: Anything ``json.loads`` returns.
Json: TypeAlias = Any
#: A JSON Schema (2020-12) as a mapping.
Schema: TypeAlias = dict[str, Json]
