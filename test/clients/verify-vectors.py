"""Prints what verify_webhook makes of each test vector: `ok`, or the reason, as a JSON array."""

import base64
import json
import sys
from datetime import datetime

from age_verification import WebhookVerificationError, verify_webhook


def outcome_of(vector):
    body = base64.b64decode(vector["body"])
    now = datetime.fromisoformat(vector["now"].replace("Z", "+00:00"))
    try:
        event = verify_webhook(body, vector["headers"], vector["secrets"], vector["toleranceSeconds"], now)
    except WebhookVerificationError as error:
        return error.reason
    sent = json.loads(body)
    assert (event.event, event.tenant_id, event.data) == (sent["event"], sent["tenantId"], sent["data"])
    return "ok"


with open("clients/test-vectors/webhook-signatures.json", encoding="utf-8") as file:
    json.dump([outcome_of(vector) for vector in json.load(file)["vectors"]], sys.stdout)
