"""The weather service of the third document, on this machine."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.seeds.weather import WeatherToolSet

TOKYO = {
    "location": {"name": "Tokyo", "country": "Japan"},
    "current": {"temp_c": 18, "condition": {"text": "Partly cloudy"}},
}


class Service(BaseHTTPRequestHandler):
    """Knows Tokyo; refuses every key but one."""

    def do_GET(self):
        query = parse_qs(urlsplit(self.path).query)
        allowed = query["key"] == ["test-key"]
        body = json.dumps(TOKYO) if allowed else "forbidden"
        self.send_response(200 if allowed else 403)
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *args):
        """Say nothing."""


@pytest.fixture
def weather(monkeypatch):
    """The tools that ask the service, with the key that it takes."""
    monkeypatch.setenv("WEATHER_API_KEY", "test-key")
    with ThreadingHTTPServer(("127.0.0.1", 0), Service) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield WeatherToolSet(f"http://127.0.0.1:{server.server_port}")
        server.shutdown()
        thread.join()
