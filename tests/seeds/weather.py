"""Ethos' ``get_weather`` in Python."""

import json
import os
from typing import Annotated
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode
from urllib.request import urlopen

from qitos_like import ToolContext, ToolResult, ToolSet, err, ok, tool

CITY = 'City name. Plain text, no country code. Examples: "Tokyo", "San Francisco", "Berlin".'
TIMEOUT_S = 10


class WeatherToolSet(ToolSet):
    """The weather, from a service that speaks JSON."""

    def __init__(self, url):
        self.url = url

    @tool(max_result_chars=1_000, available=lambda: os.environ.get("WEATHER_API_KEY"))
    def get_weather(
        self, city: Annotated[str, CITY], context: ToolContext | None = None
    ) -> ToolResult:
        """Return the current weather for a single city."""
        if not city.strip():
            return err("city must be a non-empty string", "input_invalid")
        key = os.environ.get("WEATHER_API_KEY")
        if not key:
            return err("WEATHER_API_KEY not set", "not_available")
        if context is not None:
            context.emit(f"fetching {city}...", audience="user")
        query = urlencode({"key": key, "q": city.strip()})
        try:
            with urlopen(f"{self.url}/current.json?{query}", timeout=TIMEOUT_S) as response:
                data = json.load(response)
        except HTTPError as error:
            body = error.read(200).decode(errors="replace")
            return err(f"weather API {error.code}: {body}", "execution_failed")
        except URLError as error:
            return err(str(error.reason), "execution_failed")
        place, now = data["location"], data["current"]
        reading = f"{now['temp_c']}°C and {now['condition']['text'].lower()}"
        return ok(f"Current weather in {place['name']}, {place['country']}: {reading}.")
