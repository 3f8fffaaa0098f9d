"""Serves the function as a load balancer does, which encodes each body and lists the values of each header."""
import base64
import os

from flask import Flask, Response, request
from lambda_function import handler

app = Flask(__name__)

@app.route("/webhooks", methods=["GET", "POST"])
def webhooks():
    headers = {name: [value] for name, value in request.headers}
    body = base64.b64encode(request.get_data()).decode()
    event = {"multiValueHeaders": headers, "body": body, "isBase64Encoded": True}
    return Response(status=handler(event, None)["statusCode"])

app.run(port=int(os.environ["PORT"]))
