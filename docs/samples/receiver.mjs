import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'

const { SERVICE_URL, API_KEY, WEBHOOK_SECRETS = '', PORT = '8080' } = process.env
if (!SERVICE_URL || !API_KEY) throw new Error('Set SERVICE_URL and API_KEY')
const secrets = WEBHOOK_SECRETS.split(',').map(secret => secret.trim())
if (!secrets.every(secret => /^whsec_[\w-]+$/.test(secret)))
  throw new Error('Set WEBHOOK_SECRETS to webhook secrets, separated by commas, without quotes')
const dayMs = 24 * 60 * 60 * 1000
const stored = new Set() // In production: a table with a unique key.

createServer(async (request, response) => {
  const rawBody = await buffer(request).catch(() => undefined)
  if (!rawBody) return // The sender has closed the connection.
  response.writeHead(receive(rawBody, request.headers)).end()
}).listen(PORT)

/** Stores an authentic event, once. Returns the status to respond with at once. */
function receive(rawBody, headers) {
  if (!isSigned(rawBody, headers['x-webhook-signature'])) return 401
  const message = parse(rawBody)
  if (!message) return 400
  const { event, data, timestamp } = message
  const isFresh = Date.now() - Date.parse(timestamp) < dayMs
  if (event === 'verification.completed' && isFresh && !stored.has(data.verificationId)) {
    stored.add(data.verificationId)
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

function parse(rawBody) {
  try {
    return JSON.parse(rawBody)
  } catch {
    return undefined
  }
}

/** Approved does not mean 18 or over: only over18 decides. */
async function decide(verificationId) {
  const response = await fetch(`${SERVICE_URL}/verify/status?verificationId=${verificationId}`, {
    headers: { 'x-tenant-api-key': API_KEY },
    redirect: 'error', // It would take the key elsewhere.
    cache: 'no-store',
  })
  if (!response.ok) throw new Error(await response.text())
  const { verificationId: answered, over18 } = await response.json()
  if (answered !== verificationId) throw new Error('Not an answer about this verification')
  console.log(verificationId, over18 === true ? 'admit' : 'refuse')
}
