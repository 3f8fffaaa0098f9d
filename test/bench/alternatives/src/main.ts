/** The same verification API with what its libraries' documentation recommends. */
import fastify from 'fastify'
import { config } from './config.ts'
import { prisma } from './database.ts'
import { redis } from './rate-limiter.ts'
import { callbackRoutes } from './routes/callback.ts'
import { startRoutes } from './routes/start.ts'
import { statusRoutes } from './routes/status.ts'
import { validateRoutes } from './routes/validate.ts'

const app = fastify({ logger: true })
app.decorateRequest('apiKey', null)
app.register(statusRoutes)
app.register(validateRoutes)
app.register(startRoutes)
app.register(callbackRoutes)
app.addHook('onClose', async () => {
  await prisma.$disconnect()
  redis.disconnect()
})

await redis.connect()
await prisma.$connect()
await app.listen({ host: config.host, port: config.port })
process.on('SIGTERM', async () => {
  await app.close()
  process.exit()
})
