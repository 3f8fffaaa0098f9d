/** The floor of the scenario that is named, as a process: `node:http` and the drivers, and nothing else. */
import { createServer } from 'node:http'
import { readConfig } from '#server/config.ts'
import { scenarios } from '../scenarios.ts'
import { openFloorParts } from './parts.ts'

const config = readConfig(process.env)
const { floor, status } = scenarios.find(({ name }) => name === process.argv[2])!
const handle = await floor(await openFloorParts(config))

createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', chunk => chunks.push(chunk))
  request.on('end', async () => {
    const url = request.url!
    const query = url.slice(url.indexOf('?') + 1)
    const answer = await handle({ headers: request.headers, query, body: Buffer.concat(chunks) })
    const body = JSON.stringify(answer)
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    response.writeHead(status, headers).end(body)
  })
}).listen(config.PORT, config.HOST)
