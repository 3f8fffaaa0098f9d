import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { receive } from './receive.js'

createServer(async (request, response) => {
  const status = await receive(await buffer(request), request.headers).catch(() => 500)
  response.writeHead(status).end()
}).listen(process.env.PORT ?? 8080)
