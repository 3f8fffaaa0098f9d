import type { FastifyInstance } from 'fastify'
import { authenticate } from '../authenticate.ts'
import { prisma } from '../database.ts'

interface StatusQuery {
  verificationId: string
}

export async function statusRoutes(app: FastifyInstance) {
  app.get<{ Querystring: StatusQuery }>('/verify/status', {
    schema: {
      querystring: {
        type: 'object',
        required: ['verificationId'],
        properties: { verificationId: { type: 'string', format: 'uuid' } },
      },
      response: {
        200: {
          type: 'object',
          properties: {
            verificationId: { type: 'string' },
            status: { type: 'string' },
            provider: { type: 'string' },
            confidence: { type: 'number', nullable: true },
            createdAt: { type: 'string', format: 'date-time' },
            completedAt: { type: 'string', format: 'date-time', nullable: true },
            token: { type: 'string' },
          },
        },
      },
    },
    preHandler: authenticate('verifications:read'),
    async handler(request, reply) {
      const verification = await prisma.verification.findFirst({
        where: { id: request.query.verificationId, tenantId: request.apiKey!.tenantId },
        include: { token: true },
      })
      if (!verification) return reply.code(404).send({ error: 'verification_not_found' })
      const { id, status, confidence, createdAt, completedAt, token } = verification
      return {
        verificationId: id,
        status,
        provider: 'veriff',
        confidence,
        createdAt,
        completedAt,
        ...(token ? { token: token.jwt } : {}),
      }
    },
  })
}
