/** A webhook receiver that accepts everything, over TLS with keep-alive. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'

const pem = readFileSync(process.env.RECEIVER_PEM!)

createServer({ key: pem, cert: pem, keepAliveTimeout: 60_000 }, (request, response) => {
  request.resume().on('end', () => response.writeHead(204).end())
}).listen(Number(process.env.PORT), process.env.HOST)
