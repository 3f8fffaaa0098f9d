/** Serves a handler of web requests, which a file exports as Hono or Next.js has it, by node:http. */
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'

const { default: app, POST = app?.fetch } = await import(pathToFileURL(process.argv[2]).href)

createServer(async (request, response) => {
  const { method, url, headers } = request
  try {
    const body = method === 'GET' ? undefined : await buffer(request)
    const { status } = await POST(new Request(`http://127.0.0.1${url}`, { method, headers, body }))
    response.writeHead(status).end()
  } catch (error) {
    console.error(error)
    response.writeHead(500).end()
  }
}).listen(process.env.PORT)
