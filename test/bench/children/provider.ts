/** A provider simulator with the smallest valid response, so that it does not dominate the measurement. */
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'

createServer((request, response) => {
  request.resume().on('end', () => {
    const id = randomUUID()
    const body = `{"verification":{"id":"${id}","url":"https://hosted.example/v/${id}"}}`
    const headers = { 'content-type': 'application/json', 'content-length': body.length }
    response.writeHead(201, headers).end(body)
  })
}).listen(Number(process.env.PORT), process.env.HOST)
