/** Serves what a file exports for web requests, as Next.js or Workers have it, or for the events of Lambda, by node:http. */
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'

const [, , file, shape] = process.argv
const { default: app, handler, POST = fetchOf(app) } = await import(pathToFileURL(file))

function fetchOf(app) {
  return request => app.fetch(request, {}, { waitUntil() {} })
}

/** What calls a function, by what it has in place of a request. */
const events = {
  rest: (headers, body) => ({ headers, body: `${body}` || null, isBase64Encoded: false }),
  http: (headers, body) => ({ headers, body: body.toString('base64') || undefined, isBase64Encoded: true }),
  balancer(headers, body) {
    const values = Object.entries(headers).map(([name, value]) => [name, [value]])
    return { multiValueHeaders: Object.fromEntries(values), body: `${body}`, isBase64Encoded: false }
  },
}

createServer(async (request, response) => {
  const { method, url, headers } = request
  try {
    const body = await buffer(request)
    const init = { method, headers, body: method === 'GET' ? undefined : body }
    const { status, statusCode = status } = handler
      ? await handler(events[shape](headers, body))
      : await POST(new Request(`http://127.0.0.1${url}`, init))
    response.writeHead(statusCode).end()
  } catch (error) {
    console.error(error)
    response.writeHead(500).end()
  }
}).listen(process.env.PORT)
