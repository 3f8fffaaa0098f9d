"""The errors that this module raises."""

from __future__ import annotations

from typing import Any, Dict, Optional, Tuple, Type

from .results import VerificationResult


class _CopiedError(Exception):
    """An error that can be pickled and copied, as pools of processes do, which would call it with its message alone."""

    def __reduce__(self) -> Tuple[Any, ...]:
        return _restore, (type(self), self.args), vars(self)


def _restore(kind: Type[_CopiedError], args: Tuple[Any, ...]) -> _CopiedError:
    return kind.__new__(kind, *args)


class AgeVerificationError(_CopiedError):
    """The service responded with an error. Branch on `code`; quote `request_id` when you ask the operator."""

    def __init__(
        self,
        code: str,
        message: Optional[str],
        status: int,
        details: Dict[str, Any],
        request_id: str,
        retry_after_seconds: Optional[float] = None,
    ) -> None:
        super().__init__(f"{code}: {message}" if message else code)
        self.code = code
        self.status = status
        self.details = details
        self.request_id = request_id
        self.retry_after_seconds = retry_after_seconds


class ServiceConnectionError(_CopiedError):
    """The service did not respond. Whether it carried the request out is unknown.

    `reason` is `network`, `timeout` or `invalid_response`: something else responded, such as a proxy.
    """

    def __init__(
        self,
        reason: str,
        message: str,
        status: Optional[int] = None,
        retry_after_seconds: Optional[float] = None,
    ) -> None:
        super().__init__(message)
        self.reason = reason
        self.status = status
        self.retry_after_seconds = retry_after_seconds


class CompletionTimeoutError(_CopiedError):
    """The verification was not completed, or did not change, in the time given. `verification` is as last read."""

    def __init__(self, verification: Optional[VerificationResult]) -> None:
        status = f"is still {verification.status}" if verification else "could not be read"
        super().__init__(f"The verification {status}.")
        self.verification = verification


class ChangesMissedError(_CopiedError):
    """Retention has deleted changes, up to the time `missed_before`, before `changes` came to them.

    Ask for the status of what you have not decided; what is not found any more needs a new verification. Then store
    `cursor`, which is behind them and behind the changes that came before this error, and go on with it.
    """

    def __init__(self, missed_before: str, cursor: str) -> None:
        super().__init__(
            f"Changes up to {missed_before} were deleted before you read them: ask for what you have not decided."
        )
        self.missed_before = missed_before
        self.cursor = cursor


class WebhookVerificationError(_CopiedError):
    """A webhook request is not to be trusted: respond with `status`, and don't act on it.

    `reason` is `signature_missing`, `signature_malformed`, `signature_mismatch`, `body_malformed` or
    `timestamp_too_old`. `status` is 400 for a body that is signed but no event, otherwise 401.
    """

    _messages = {
        "signature_missing": "There is no X-Webhook-Signature header. In Django, pass request.headers, not request.META.",
        "signature_malformed": "The X-Webhook-Signature header is not one hex-encoded SHA-256 HMAC.",
        "signature_mismatch": "No secret gives this signature for this body, which must be the raw bytes: decoded, if base64 came.",
        "body_malformed": "The body is not an event.",
        "timestamp_too_old": "The event is older than the tolerance; it may have been recorded and sent again.",
    }

    def __init__(self, reason: str) -> None:
        super().__init__(self._messages[reason])
        self.reason = reason
        self.status = 400 if reason == "body_malformed" else 401
