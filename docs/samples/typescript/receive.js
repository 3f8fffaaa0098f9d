import { AgeVerificationClient, verifyWebhook, WebhookVerificationError } from '@age-verification/client'

const { SERVICE_URL: baseUrl, API_KEY: apiKey, WEBHOOK_SECRETS = '' } = process.env
const client = new AgeVerificationClient({ baseUrl, apiKey })
const secrets = WEBHOOK_SECRETS.split(',').map(secret => secret.trim()) // two of them during a rotation
if (!secrets.every(secret => /^whsec_[\w-]+$/.test(secret)))
  throw new Error('Set WEBHOOK_SECRETS to webhook secrets, separated by commas, without quotes')
const stored = new Set() // in production: a table with a unique key

/** Stores an authentic event, once. Returns the status to respond with at once. `waitUntil` is for where nothing runs after it. */
export async function receive(rawBody, headers, waitUntil = job => job) {
  try {
    const { event, data } = await verifyWebhook(rawBody, headers, secrets)
    if (event === 'verification.completed' && !stored.has(data.verificationId)) {
      stored.add(data.verificationId)
      waitUntil(decide(data.verificationId).catch(console.error)) // in production: a job that is retried
    }
    return 204
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error.status
    throw error // respond with 500, and the event is sent again
  }
}

/** Approved does not mean 18 or over: only over18 decides. */
async function decide(verificationId) {
  const { over18 } = await client.status(verificationId)
  console.log(verificationId, over18 ? 'admit' : 'refuse')
}
