import { verifyWebhook } from '@age-verification/client'
import express from 'express'
import { completed } from './completed.js'

const secrets = process.env.WEBHOOK_SECRETS.split(',') // two of them during a rotation
const app = express()

app.post('/webhooks', express.raw({ type: () => true }), async (request, response) => {
  await completed(await verifyWebhook(request.body, request.headers, secrets)) // or 401
  response.sendStatus(204)
})

app.listen(process.env.PORT)
