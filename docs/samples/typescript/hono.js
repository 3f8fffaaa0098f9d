import { verifyWebhook, WebhookVerificationError } from '@age-verification/client'
import { Hono } from 'hono'
import { completed } from './completed.js'

const secrets = process.env.WEBHOOK_SECRETS.split(',') // two of them during a rotation
const app = new Hono()

app.post('/webhooks', async c => {
  await completed(await verifyWebhook(await c.req.arrayBuffer(), c.req.raw.headers, secrets))
  return c.body(null, 204)
})
app.onError((error, c) => c.text(error.message, error instanceof WebhookVerificationError ? 401 : 500))

export default app
