from fastapi import FastAPI, Request, Response

from receive import receive

app = FastAPI()

@app.post("/webhooks")
async def webhooks(request: Request):
    return Response(status_code=receive(await request.body(), request.headers))
