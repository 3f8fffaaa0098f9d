from flask import Flask, Response, request

from receive import receive

app = Flask(__name__)

@app.post("/webhooks")
def webhooks():
    return Response(status=receive(request.get_data(), request.headers))
