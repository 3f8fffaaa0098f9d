/** A collector of traces that discards what it receives. */
import { createServer } from 'node:http'

createServer((request, response) => {
  request.resume().on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'))
}).listen(Number(process.env.PORT), process.env.HOST)
