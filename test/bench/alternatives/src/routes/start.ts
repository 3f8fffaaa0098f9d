import type { FastifyInstance } from 'fastify'
import { authenticate } from '../authenticate.ts'
import { prisma } from '../database.ts'
import { createSession } from '../provider.ts'
import { returnQuota, takeQuota } from '../quota.ts'

export async function startRoutes(app: FastifyInstance) {
  app.post<{ Reply: unknown }>('/verify/start', {
    schema: {
      response: {
        201: {
          type: 'object',
          properties: {
            verificationId: { type: 'string' },
            status: { type: 'string' },
            provider: { type: 'string' },
            sessionUrl: { type: 'string' },
            config: {
              type: 'object',
              properties: { pollingIntervalMs: { type: 'integer' }, tokenType: { type: 'string' } },
            },
          },
        },
      },
    },
    preHandler: authenticate('verifications:write'),
    async handler(request, reply) {
      const { tenant } = request.apiKey!
      const month = new Date().toISOString().slice(0, 7)
      if (!(await takeQuota(tenant, month))) return reply.code(429).send({ error: 'quota_exceeded' })
      try {
        const { id } = await prisma.verification.create({
          data: { tenantId: tenant.id, changes: { create: { status: 'pending', source: 'tenant' } } },
        })
        const session = await createSession(id)
        await prisma.verification.update({ where: { id }, data: { providerSessionId: session.id } })
        const config = { pollingIntervalMs: 3000, tokenType: 'jwt' }
        const started = {
          verificationId: id,
          status: 'started',
          provider: 'veriff',
          sessionUrl: session.url,
          config,
        }
        return reply.code(201).send(started)
      } catch (error) {
        await returnQuota(tenant, month)
        throw error
      }
    },
  })
}
