import type { FastifyInstance } from 'fastify'
import jwt from 'jsonwebtoken'
import { authenticate } from '../authenticate.ts'
import { prisma } from '../database.ts'
import { type AgeClaims, verifyToken } from '../tokens.ts'

export async function validateRoutes(app: FastifyInstance) {
  app.post<{ Body: { token: string } }>('/tokens/validate', {
    schema: {
      body: {
        type: 'object',
        required: ['token'],
        properties: { token: { type: 'string', maxLength: 4096 } },
      },
      response: {
        200: {
          type: 'object',
          properties: {
            valid: { type: 'boolean' },
            over18: { type: 'boolean' },
            reason: { type: 'string' },
          },
        },
      },
    },
    preHandler: authenticate('tokens:validate'),
    async handler(request) {
      const reason = await reasonFor(request.body.token, request.apiKey!.tenantId)
      return { valid: reason === 'OK', over18: reason === 'OK', reason }
    },
  })
}

async function reasonFor(token: string, tenantId: string): Promise<string> {
  let claims: AgeClaims
  try {
    claims = verifyToken(token, tenantId)
  } catch (error) {
    if (error instanceof jwt.TokenExpiredError) return 'TOKEN_EXPIRED'
    if (error instanceof jwt.JsonWebTokenError) return 'TOKEN_NOT_FOUND'
    throw error
  }
  const stored = await prisma.token.findUnique({ where: { jti: claims.jti } })
  if (!stored || stored.verificationId !== claims.sub) return 'TOKEN_NOT_FOUND'
  if (stored.revokedAt) return 'TOKEN_REVOKED'
  return claims.over18 ? 'OK' : 'UNDERAGE_OR_UNKNOWN'
}
