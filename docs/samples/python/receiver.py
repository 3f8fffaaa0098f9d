import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from age_verification import Client, WebhookVerificationError, read_body, verify_webhook

client = Client(os.environ["SERVICE_URL"], os.environ["API_KEY"])
secrets = os.environ["WEBHOOK_SECRETS"].split(",")  # Two of them during a rotation.
processed = set()  # In production: a unique key in your database.

class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        try:
            event = verify_webhook(read_body(self), self.headers, secrets)
        except WebhookVerificationError:
            return self.respond(401)
        if event.event == "verification.completed" and event.verification_id not in processed:
            over18 = client.status(event.verification_id).over18
            print(event.verification_id, "admitted" if over18 else "refused", flush=True)
            processed.add(event.verification_id)
        self.respond(204)

    def respond(self, status):
        self.send_response(status)
        self.end_headers()

ThreadingHTTPServer(("", int(os.environ["PORT"])), Receiver).serve_forever()
