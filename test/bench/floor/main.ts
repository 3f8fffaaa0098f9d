/** The program that serves the floor of the scenario named on the command line, with only `node:http` and drivers. */
import { createServer } from 'node:http'
import { readConfig } from '#server/configuration/config.ts'
import { requestScenarios } from '../all-benchmarks.ts'
import { openFloorParts } from './parts.ts'

const config = readConfig(process.env)
const { floor, status } = requestScenarios.find(({ name }) => name === process.argv[2])!
const handle = await floor(await openFloorParts(config))

createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', chunk => chunks.push(chunk))
  request.on('end', async () => {
    const url = request.url!
    const query = url.slice(url.indexOf('?') + 1)
    const result = await handle({ headers: request.headers, query, body: Buffer.concat(chunks) })
    const body = JSON.stringify(result)
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    response.writeHead(status, headers).end(body)
  })
}).listen(config.port, config.host)
