import { quoted, type ReceiverValues } from './node-receiver.ts'

/** Sample code for Python 3.9 or newer, without dependencies. */
export function pythonReceiver({ tenantId, path }: ReceiverValues): string {
  return `import hmac
import json
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# Comma-separated, so that both secrets are accepted during a rotation.
SECRETS = os.environ["WEBHOOK_SECRETS"].split(",")
seen = set()  # In production: a unique key in your database.


def is_valid_signature(body, signature):
    return any(
        hmac.compare_digest(hmac.new(secret.encode(), body, "sha256").hexdigest().encode(), signature.encode())
        for secret in SECRETS
    )


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        # Verify the raw bytes before parsing them.
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.path != ${quoted(path)}:
            return self.respond(404)
        if not is_valid_signature(body, self.headers.get("X-Webhook-Signature", "")):
            return self.respond(401)

        self.respond(204)  # Respond within 5 seconds; do slow work afterwards.
        event = json.loads(body)
        data = event["data"]
        if event["tenantId"] != ${quoted(tenantId)} or data["verificationId"] in seen:
            return
        seen.add(data["verificationId"])
        # Approved does not mean 18 or over: queue a job that reads over18 from GET /verify/status.
        print(data["verificationId"], data["status"], data["confidence"], flush=True)

    def respond(self, status):
        self.send_response(status)
        self.end_headers()


ThreadingHTTPServer(("", int(os.environ.get("PORT", 8080))), Receiver).serve_forever()
`
}
