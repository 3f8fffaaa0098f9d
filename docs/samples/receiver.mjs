import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const { SERVICE_URL, API_KEY, WEBHOOK_SECRETS, PORT = '8080' } = process.env
if (!WEBHOOK_SECRETS) throw new Error('Set WEBHOOK_SECRETS')
const secrets = WEBHOOK_SECRETS.split(',')
const dayMs = 24 * 60 * 60 * 1000
const processed = new Set() // In production: a unique key in your database.

createServer((request, response) => {
  receive(request)
    .then(status => response.writeHead(status).end())
    .catch(() => response.destroy())
}).listen(PORT)

async function receive(request) {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const rawBody = Buffer.concat(chunks)
  if (!isSigned(rawBody, request.headers['x-webhook-signature'])) return 401
  const { data, timestamp } = JSON.parse(rawBody)
  const isFresh = Date.now() - Date.parse(timestamp) < dayMs
  if (isFresh && !processed.has(data.verificationId)) {
    processed.add(data.verificationId)
    decide(data.verificationId).catch(console.error) // In production: a job that is retried.
  }
  return 204
}

function isSigned(rawBody, signature = '') {
  const given = Buffer.from(signature, 'hex')
  return secrets.some(secret => {
    const expected = createHmac('sha256', secret).update(rawBody).digest()
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}

/** Approved does not mean 18 or over: only over18 decides. */
async function decide(verificationId) {
  const response = await fetch(`${SERVICE_URL}/verify/status?verificationId=${verificationId}`, {
    headers: { 'x-tenant-api-key': API_KEY },
  })
  const { status, over18 } = await response.json()
  console.log(verificationId, status, over18 === true ? 'admit' : 'refuse')
}
