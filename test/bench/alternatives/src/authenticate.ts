import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { RateLimiterRes } from 'rate-limiter-flexible'
import type { ApiKeyModel, TenantModel } from '../generated/models.ts'
import { prisma } from './database.ts'
import { rateLimiter } from './rate-limiter.ts'

declare module 'fastify' {
  interface FastifyRequest {
    apiKey: (ApiKeyModel & { tenant: TenantModel }) | null
  }
}

/** A hook that accepts API keys with the scope, and counts their requests. */
export function authenticate(scope: string) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const value = request.headers['x-tenant-api-key']
    if (typeof value !== 'string') return reply.code(401).send({ error: 'unauthenticated' })
    const hash = createHash('sha256').update(value).digest('hex')
    const apiKey = await prisma.apiKey.findUnique({ where: { hash }, include: { tenant: true } })
    const isLive = apiKey && !apiKey.revokedAt && (!apiKey.expiresAt || apiKey.expiresAt > new Date())
    if (!isLive) return reply.code(401).send({ error: 'unauthenticated' })
    if (!apiKey.tenant.active) return reply.code(402).send({ error: 'tenant_inactive' })
    if (!apiKey.scopes.includes(scope)) return reply.code(403).send({ error: 'forbidden' })
    try {
      const { remainingPoints } = await rateLimiter.consume(apiKey.id)
      reply.header('x-ratelimit-remaining', remainingPoints)
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error
      reply.header('retry-after', Math.ceil(error.msBeforeNext / 1000))
      return reply.code(429).send({ error: 'rate_limit_exceeded' })
    }
    request.apiKey = apiKey
  }
}
