export interface ReceiverValues {
  tenantId: string
  /** Of the webhook URL. */
  path: string
}

/** A receiver for Node 20 or newer, without packages. */
export function nodeReceiver({ tenantId, path }: ReceiverValues): string {
  return `import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

// Comma-separated, so that the old and the new one both count while you rotate.
const secrets = process.env.WEBHOOK_SECRETS.split(',')
const seen = new Set() // In production: a unique key in your database.

createServer((request, response) => {
  receive(request)
    .then(status => response.writeHead(status).end())
    .catch(() => response.destroy())
}).listen(process.env.PORT ?? 8080)

async function receive(request) {
  if (request.method !== 'POST' || request.url !== ${quoted(path)}) return 404
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const body = Buffer.concat(chunks) // The raw bytes: parse only after the check.
  if (!isSigned(body, request.headers['x-webhook-signature'])) return 401

  const { tenantId, data } = JSON.parse(body)
  if (tenantId === ${quoted(tenantId)} && !seen.has(data.verificationId)) {
    seen.add(data.verificationId)
    console.log(data.verificationId, data.status, data.confidence) // Put slow work into a queue.
  }
  return 204 // Within 5 seconds, for duplicates too.
}

function isSigned(body, signature = '') {
  const given = Buffer.from(signature, 'hex')
  return secrets.some(secret => {
    const expected = createHmac('sha256', secret).update(body).digest()
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}
`
}

/** As a string literal, in JavaScript as in Python. */
export function quoted(text: string): string {
  return JSON.stringify(text)
}
