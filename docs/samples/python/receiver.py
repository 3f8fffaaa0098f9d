import os, threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from age_verification import Client, WebhookVerificationError, read_body, verify_webhook

client = Client(os.environ["SERVICE_URL"], os.environ["API_KEY"])
secrets = os.environ["WEBHOOK_SECRETS"].split(",")  # Two of them during a rotation.
stored = set()  # In production: a table with a unique key.

class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        self.send_response(self.receive())
        self.end_headers()

    def receive(self):
        """Stores an authentic event, once. Returns the status to respond with at once."""
        try:
            event = verify_webhook(read_body(self), self.headers, secrets)
        except WebhookVerificationError as error:
            return error.status
        if event.event == "verification.completed" and event.verification_id not in stored:
            stored.add(event.verification_id)
            threading.Thread(target=decide, args=[event.verification_id]).start()  # In production: a job that is retried.
        return 204

def decide(verification_id):
    """Approved does not mean 18 or over: only over18 decides."""
    over18 = client.status(verification_id).over18
    print(verification_id, "admit" if over18 else "refuse", flush=True)

ThreadingHTTPServer(("", int(os.environ["PORT"])), Receiver).serve_forever()
