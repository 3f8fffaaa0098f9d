import { verifyWebhook } from '@age-verification/client'
import fastify from 'fastify'
import { completed } from './completed.js'

const secrets = process.env.WEBHOOK_SECRETS.split(',') // two of them during a rotation
const app = fastify()
app.register(async webhooks => {
  webhooks.removeAllContentTypeParsers()
  webhooks.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request, body) => body)
  webhooks.post('/webhooks', async (request, reply) => {
    await completed(await verifyWebhook(request.body, request.headers, secrets)) // or 401
    return reply.code(204).send()
  })
})
app.listen({ port: Number(process.env.PORT) })
