"""Calls the client's methods, or verifies the test vectors of webhooks, as standard input says.

Input: {"baseUrl", "apiKey", "calls": [[method, argument], …]} or {"vectors": […]}.
Output: a JSON array of results or errors; of a vector, `ok` or the reason.
"""

import base64
import dataclasses
import json
import sys
from datetime import datetime

from age_verification import (
    AgeVerificationError,
    Client,
    ServiceConnectionError,
    WebhookVerificationError,
    verify_webhook,
)


def outcome_of_call(client, method, argument):
    try:
        return dataclasses.asdict(getattr(client, method)(argument))
    except (AgeVerificationError, ServiceConnectionError) as error:
        return {"error": type(error).__name__, "message": str(error), **vars(error)}


def outcome_of_vector(vector):
    body = base64.b64decode(vector["body"])
    now = datetime.fromisoformat(vector["now"].replace("Z", "+00:00"))
    try:
        event = verify_webhook(body, vector["headers"], vector["secrets"], vector["toleranceSeconds"], now)
    except WebhookVerificationError as error:
        return error.reason
    sent = json.loads(body)
    assert (event.event, event.tenant_id, event.data) == (sent["event"], sent["tenantId"], sent["data"])
    return "ok"


given = json.load(sys.stdin)
if "vectors" in given:
    outcomes = [outcome_of_vector(vector) for vector in given["vectors"]]
else:
    options = {name: given[name] for name in ("timeout", "retries") if name in given}
    client = Client(given["baseUrl"], given["apiKey"], **options)
    outcomes = [outcome_of_call(client, *call) for call in given["calls"]]
json.dump(outcomes, sys.stdout)
