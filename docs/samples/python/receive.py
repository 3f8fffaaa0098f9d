import os, re
from threading import Thread
from age_verification import Client, WebhookVerificationError, verify_webhook

client = Client(os.environ["SERVICE_URL"], os.environ["API_KEY"])
secrets = os.environ.get("WEBHOOK_SECRETS", "").split(",")  # Two of them during a rotation.
secrets = [secret.strip() for secret in secrets]
if not all(re.fullmatch(r"whsec_[\w-]+", secret) for secret in secrets):
    raise ValueError("Set WEBHOOK_SECRETS to webhook secrets, separated by commas, without quotes")
stored = set()  # In production: a table with a unique key.

def receive(raw_body, headers, wait_until=lambda job: None):
    """Stores an authentic event, once. Returns the status to respond with at once. `wait_until` is for where nothing runs after it."""
    try:
        event = verify_webhook(raw_body, headers, secrets)
    except WebhookVerificationError as error:
        return error.status
    if event.event == "verification.completed" and event.verification_id not in stored:
        stored.add(event.verification_id)
        job = Thread(target=decide, args=[event.verification_id])  # In production: a job that is retried.
        job.start()
        wait_until(job)
    return 204

def decide(verification_id):
    """Approved does not mean 18 or over: only over18 decides."""
    decision = "admit" if client.status(verification_id).over18 else "refuse"
    print(f"{verification_id} {decision}", flush=True)
