"""Public documents of the service: its keys and status lists, which are kept for a while."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, Generic, Optional, TypeVar

from .errors import ServiceConnectionError
from .steps import HttpRequest, Steps, to_response
from .version import USER_AGENT

T = TypeVar("T")


def read_document(url: str, accept: str, timeout: float) -> Steps[str]:
    answer = yield HttpRequest("GET", url, {"accept": accept, "user-agent": USER_AGENT}, timeout)
    response = to_response(answer, timeout)
    if response.status_code != 200:
        raise unusable(url, f"the response is HTTP {response.status_code}", response.status_code)
    return response.text


def unusable(name: str, reason: object, status: Optional[int] = None) -> ServiceConnectionError:
    """A document that can't be used, so that nothing can be decided."""
    return ServiceConnectionError("invalid_response", f"{name} can't be used: {reason}", status)


@dataclass(frozen=True)
class Document(Generic[T]):
    """Times are seconds since the epoch. It is not read again until `fresh_until`."""

    content: T
    read_at: float
    fresh_until: float
    usable_until: float


class Kept(Generic[T]):
    """A document, which is used up to `usable_until` while it can't be read again."""

    def __init__(self, read: Callable[[], Steps[Document[T]]], retry_seconds: float) -> None:
        self._read = read
        self._retry_seconds = retry_seconds
        self._retry_at = 0.0
        self.failure: Optional[ServiceConnectionError] = None
        self.document: Optional[Document[T]] = None

    def current(self, now: float) -> Steps[T]:
        if self.document and now < max(self.document.fresh_until, self._retry_at):
            if now < self.document.usable_until:
                return self.document.content
        return (yield from self.renew(now))

    def renew(self, now: float) -> Steps[T]:
        try:
            self.document = yield from self._read()
            self.failure = None
        except ServiceConnectionError as error:
            self.failure = error
            self._retry_at = now + self._retry_seconds
            if not self.document or now >= self.document.usable_until:
                raise
        return self.document.content
