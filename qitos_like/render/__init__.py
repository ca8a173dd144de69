"""What a model sees: other prompt forms, provider dialects, search."""

from .as_json import json as json
from .as_xml import xml as xml
from .dialects import dialect as dialect
from .discovery import DiscoveryToolSet as DiscoveryToolSet
from .ranking import search as search
