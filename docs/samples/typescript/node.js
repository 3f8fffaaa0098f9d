import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { receive } from './receive.js'

createServer(async (request, response) => {
  const received = buffer(request).then(rawBody => receive(rawBody, request.headers))
  const status = await received.catch(() => 500)
  response.writeHead(status).end()
}).listen(process.env.PORT ?? 8080)
