import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { config } from '../config.ts'
import { prisma } from '../database.ts'
import { isSigned } from '../provider.ts'
import { signToken } from '../tokens.ts'

interface Decision {
  verification: {
    id: string
    vendorData: string
    status: 'approved' | 'declined'
    person: { dateOfBirth: string | null }
  }
}

export async function callbackRoutes(app: FastifyInstance) {
  // The signature is over the raw body.
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  )

  app.post<{ Body: Buffer }>('/verify/callback', async (request, reply) => {
    const signature = request.headers['x-hmac-signature']
    if (typeof signature !== 'string' || !isSigned(request.body, signature)) {
      return reply.code(401).send({ error: 'invalid_signature' })
    }
    const { verification } = JSON.parse(request.body.toString()) as Decision
    await complete(verification)
    return { received: true }
  })
}

async function complete({ id, vendorData, status, person }: Decision['verification']): Promise<void> {
  const result = status === 'approved' ? 'approved' : 'denied'
  const now = new Date()
  const over18 = result === 'approved' && isAdult(person.dateOfBirth, now)
  await prisma.$transaction(async tx => {
    const changed = await tx.verification.updateMany({
      where: { id: vendorData, providerSessionId: id, completedAt: null },
      data: { status: result, confidence: 1, over18, completedAt: now },
    })
    if (changed.count === 0) return
    const { tenantId } = await tx.verification.findUniqueOrThrow({ where: { id: vendorData } })
    await tx.statusChange.create({
      data: { verificationId: vendorData, status: result, source: 'provider' },
    })
    if (result === 'approved') {
      const jti = randomUUID()
      const jwt = signToken({ jti, sub: vendorData, aud: tenantId, over18 })
      const expiresAt = new Date(now.getTime() + config.token.lifetimeSeconds * 1000)
      await tx.token.create({ data: { jti, verificationId: vendorData, jwt, expiresAt } })
    }
    const data = { verificationId: vendorData, status: result, confidence: 1, provider: 'veriff' }
    const payload = { event: 'verification.completed', tenantId, data, timestamp: now.toISOString() }
    await tx.delivery.create({ data: { verificationId: vendorData, payload } })
  })
}

function isAdult(dateOfBirth: string | null, now: Date): boolean {
  if (!dateOfBirth) return false
  const birthday = new Date(dateOfBirth)
  birthday.setUTCFullYear(birthday.getUTCFullYear() + 18)
  return birthday <= now
}
