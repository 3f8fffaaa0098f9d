import fastify from 'fastify'
import { receive } from './receive.js'

const server = fastify()
// A plugin, so that other routes keep their parsers.
server.register(async app => {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_, body) => body)
  app.post('/webhooks', async (request, reply) => {
    return reply.code(await receive(request.body, request.headers)).send()
  })
})
server.listen({ port: Number(process.env.PORT) })
