"""A stand-in for a provider: a local server that answers from a script.

The loops beside this file use it when no key is set, so that they run offline.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any


@contextmanager
def scripted(*answers: dict[str, Any]) -> Iterator[str]:
    """The address of a server that gives these answers to the requests, in order."""
    script = iter(answers)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            content = json.dumps(next(script)).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def main() -> None:
    """Ask it twice."""
    with scripted({"say": "hello"}, {"say": "bye"}) as address:
        for _ in range(2):
            connection = HTTPConnection(address.removeprefix("http://"))
            connection.request("POST", "/", body="{}")
            print(json.load(connection.getresponse())["say"])
            connection.close()


if __name__ == "__main__":
    main()
