import fastify from 'fastify'
import { receive } from './receive.js'

const app = fastify()
app.register(async webhooks => {
  webhooks.removeAllContentTypeParsers()
  webhooks.addContentTypeParser('*', { parseAs: 'buffer' }, async (_, body) => body)
  webhooks.post('/webhooks', async (request, reply) => {
    return reply.code(await receive(request.body, request.headers)).send()
  })
})
app.listen({ port: Number(process.env.PORT) })
