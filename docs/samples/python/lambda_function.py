# AWS Lambda behind an API Gateway (REST, HTTP), a function URL or a load balancer (ALB), which has one of both headers.
import base64

from receive import receive

def handler(event, context):
    body = (event.get("body") or "").encode()
    raw_body = base64.b64decode(body) if event.get("isBase64Encoded") else body
    jobs = []
    status = receive(raw_body, event.get("headers") or event.get("multiValueHeaders") or {}, jobs.append)
    for job in jobs:
        job.join()  # Lambda freezes after the response. In production: a queue, such as SQS.
    return {"statusCode": status, "body": ""}
