export interface ReceiverValues {
  tenantId: string
  /** The webhook URL's path. */
  path: string
}

/** Sample code for Node 20 or newer, without dependencies. */
export function nodeReceiver({ tenantId, path }: ReceiverValues): string {
  return `import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

// Comma-separated, so that both secrets are accepted during a rotation.
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
  const body = Buffer.concat(chunks) // Verify the raw bytes before parsing them.
  if (!isValidSignature(body, request.headers['x-webhook-signature'])) return 401

  const { tenantId, data } = JSON.parse(body)
  if (tenantId === ${quoted(tenantId)} && !seen.has(data.verificationId)) {
    seen.add(data.verificationId)
    // Approved does not mean 18 or over: queue a job that reads over18 from GET /verify/status.
    console.log(data.verificationId, data.status, data.confidence)
  }
  return 204 // Respond within 5 seconds, to duplicates too.
}

function isValidSignature(body, signature = '') {
  const actual = Buffer.from(signature, 'hex')
  return secrets.some(secret => {
    const expected = createHmac('sha256', secret).update(body).digest()
    return actual.length === expected.length && timingSafeEqual(actual, expected)
  })
}
`
}

/** A string literal that is valid in JavaScript and Python. */
export function quoted(text: string): string {
  return JSON.stringify(text)
}
