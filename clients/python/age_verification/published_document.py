"""Public documents of the service: its keys and status lists, which are kept for a while."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, Generic, Optional, TypeVar

from .errors import ServiceConnectionError
from .steps import HttpRequest, Steps, to_response
from .version import USER_AGENT

T = TypeVar("T")


def read_document(url: str, accept: str, timeout: float) -> Steps[bytes]:
    answer = yield HttpRequest("GET", url, {"accept": accept, "user-agent": USER_AGENT}, timeout)
    response = to_response(answer, timeout)
    if not 200 <= response.status < 300:
        raise unusable(url, f"the response is HTTP {response.status}", response.status)
    if response.content is None:
        raise unusable(url, "it is longer than any of the service", response.status)
    return response.content


def unusable(name: str, reason: object, status: Optional[int] = None) -> ServiceConnectionError:
    """A document that can't be used, so that nothing can be decided."""
    return ServiceConnectionError("invalid_response", f"{name} can't be used: {reason}", status)


@dataclass(frozen=True)
class Document(Generic[T]):
    """Times are seconds since the epoch. It is not read again until `fresh_until`."""

    content: T
    fresh_until: float
    usable_until: float


class KeptDocument(Generic[T]):
    """A document, which is used up to `usable_until` while it can't be read again."""

    def __init__(self, read: Callable[[], Steps[Document[T]]], pause_seconds: float) -> None:
        self._read = read
        self._pause_seconds = pause_seconds
        self._read_at = 0.0
        self._document: Optional[Document[T]] = None
        self.failure: Optional[ServiceConnectionError] = None

    def current(self, now: float) -> Steps[T]:
        if self._document and (now < self._document.fresh_until or self._pauses(now)):
            return self._document.content
        return (yield from self._renew(now))

    def newer(self, now: float) -> Steps[T]:
        """The document as it is now, for what is not in the current one."""
        return (yield from (self.current(now) if self._pauses(now) else self._renew(now)))

    def _pauses(self, now: float) -> bool:
        """Whether it was read just now, or could not be, so that neither strangers nor an outage cause many requests."""
        is_usable = self._document is not None and now < self._document.usable_until
        return is_usable and now < self._read_at + self._pause_seconds

    def _renew(self, now: float) -> Steps[T]:
        self._read_at = now
        try:
            self._document = yield from self._read()
            self.failure = None
        except ServiceConnectionError as error:
            self.failure = error
            if not self._document or now >= self._document.usable_until:
                raise
        return self._document.content
