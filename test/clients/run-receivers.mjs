/**
 * Runs the receivers of the README in one process, each on the port that its variable names. Those that export a handler
 * of web requests are served by node:http.
 */
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'

const folder = process.argv[2]
const load = file => import(new URL(file, `file://${folder}/`).href)

for (const name of ['express', 'koa', 'fastify']) {
  process.env.PORT = process.env[`PORT_${name.toUpperCase()}`]
  await load(`${name}.js`)
}
const { default: hono } = await load('hono.js')
const { POST } = await load('next.ts')
serve(request => hono.fetch(request), process.env.PORT_HONO)
serve(POST, process.env.PORT_NEXT)

function serve(handle, port) {
  createServer(async (request, response) => {
    try {
      const { method, url, headers } = request
      const init = { method, headers, body: await buffer(request) }
      const { status } = await handle(new Request(`http://127.0.0.1${url}`, init))
      response.writeHead(status).end()
    } catch (error) {
      console.error(error)
      response.writeHead(500).end()
    }
  }).listen(port)
}
