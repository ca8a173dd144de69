"""A local HTTP server that speaks a provider's wire format from a script."""

import json
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread


@contextmanager
def answering(*answers, connections=None):
    """The server's address, and the bodies of the requests as they come.

    Args:
        connections: is given the port of the client of each request; then connections stay open.

    An answer is JSON data, or text that is sent as server-sent events; in a pair with a status it
    is that of a failure, after which a client should not wait long.
    """
    bodies, script = [], iter(answers)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.0" if connections is None else "HTTP/1.1"

        def do_POST(self):
            if connections is not None:
                connections.append(self.client_address[1])
            length = int(self.headers["Content-Length"])
            bodies.append(json.loads(self.rfile.read(length)))
            answer = next(script)
            status, answer = answer if isinstance(answer, tuple) else (200, answer)
            is_stream = isinstance(answer, str)
            content = (answer if is_stream else json.dumps(answer)).encode()
            kind = "text/event-stream" if is_stream else "application/json"
            self.send_response(status)
            self.send_header("retry-after-ms", "1")
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", bodies
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def events(*data, named=False):
    """Server-sent events with these data; ``named`` ones say their type too."""
    lines = []
    for each in data:
        lines += [f"event: {each['type']}"] if named else []
        lines += [f"data: {each if isinstance(each, str) else json.dumps(each)}", ""]
    return "\n".join([*lines, ""])
