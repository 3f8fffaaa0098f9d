"""The raw body of a request to `http.server`."""

import re
from http.server import BaseHTTPRequestHandler

from .errors import WebhookVerificationError


def read_body(handler: BaseHTTPRequestHandler, bytes_max: int = 65_536) -> bytes:
    """Return the body as it was sent, with a length or in chunks, which `http.server` leaves to its users.

    Raise `WebhookVerificationError` if it is malformed, cut short or longer than `bytes_max`.
    """
    if "chunked" in handler.headers.get("Transfer-Encoding", "").lower():
        return _read_chunks(handler, bytes_max)
    length = _size(handler.headers.get("Content-Length", "0"), 10, bytes_max)
    return _read_exactly(handler, length)


def _read_chunks(handler: BaseHTTPRequestHandler, bytes_max: int) -> bytes:
    body = b""
    while True:
        size = _size(_read_line(handler).split(b";")[0].strip().decode("latin-1"), 16, bytes_max - len(body))
        if size == 0:
            break
        body += _read_exactly(handler, size)
        if handler.rfile.read(2) != b"\r\n":
            raise WebhookVerificationError("body_malformed")
    while _read_line(handler).strip():
        pass  # Trailers.
    return body


def _read_line(handler: BaseHTTPRequestHandler) -> bytes:
    line = handler.rfile.readline(1_024)
    if not line.endswith(b"\n"):
        raise WebhookVerificationError("body_malformed")
    return line


def _read_exactly(handler: BaseHTTPRequestHandler, size: int) -> bytes:
    data = handler.rfile.read(size)
    if len(data) != size:
        raise WebhookVerificationError("body_malformed")
    return data


def _size(text: str, base: int, size_max: int) -> int:
    digits = r"[0-9]{1,9}" if base == 10 else r"[0-9a-fA-F]{1,8}"
    if not re.fullmatch(digits, text) or int(text, base) > size_max:
        raise WebhookVerificationError("body_malformed")
    return int(text, base)
