import { createHash, createPublicKey, verify } from 'node:crypto'
import { validateToken } from '#domain/token/validate-token.ts'
import { type AddedToken, addTokens } from '../fixture/add-tokens.ts'
import { fill, type SentStatement, sentStatement, verificationPlaceholder } from '../floor/sent-statement.ts'
import type { BenchRequest } from '../load/orders.ts'
import type { RequestScenario } from './request-scenario.ts'

const perTenant = 20

export const validate: RequestScenario = {
  name: 'validate',
  description:
    'POST /tokens/validate of the same valid tokens again and again, distributed over the tenants.',
  floorDescription:
    'SHA-256 of the key, the admission script in Redis, SHA-256 of the token and a Map instead of a signature ' +
    'check, the same SELECT, JSON.',
  status: 200,
  single: false,
  async requests(fixture) {
    return (await addTokens(fixture, fixture.tenants.length * perTenant)).map(validationRequest)
  },
  async floor({ pool, admit }) {
    const find = await findTokenStatement()
    const cache = new Map<string, { sub: string }>()
    return async ({ headers, body }) => {
      const tenantId = await admit(String(headers['x-tenant-api-key']), 'tokens:validate', 'read')
      const { token } = JSON.parse(body.toString()) as { token: string }
      const fingerprint = createHash('sha256').update(token).digest('base64')
      const payload = cache.get(fingerprint) ?? decodePayload(token)
      cache.set(fingerprint, payload)
      const values = { tenantId, [verificationPlaceholder]: payload.sub }
      const { rows } = await pool.query(fill(find, values))
      return toValidation(rows[0])
    }
  },
}

export const validateNew: RequestScenario = {
  ...validate,
  name: 'validate-new',
  description:
    'POST /tokens/validate of valid tokens, each for the first time, distributed over the tenants.',
  floorDescription:
    'SHA-256 of the key, the admission script in Redis, the ES256 signature check with node:crypto, the same ' +
    'SELECT, JSON.',
  single: true,
  async requests(fixture, count) {
    return (await addTokens(fixture, count)).map(validationRequest)
  },
  async floor({ pool, admit, signer }) {
    const find = await findTokenStatement()
    const key = { key: createPublicKey(signer), dsaEncoding: 'ieee-p1363' as const }
    return async ({ headers, body }) => {
      const tenantId = await admit(String(headers['x-tenant-api-key']), 'tokens:validate', 'read')
      const { token } = JSON.parse(body.toString()) as { token: string }
      const end = token.lastIndexOf('.')
      const signature = Buffer.from(token.slice(end + 1), 'base64url')
      const signed = verify('sha256', Buffer.from(token.slice(0, end)), key, signature)
      if (!signed) throw new Error('invalid signature')
      const values = { tenantId, [verificationPlaceholder]: decodePayload(token).sub }
      const { rows } = await pool.query(fill(find, values))
      return toValidation(rows[0])
    }
  },
}

function validationRequest({ jwt, tenant }: AddedToken): BenchRequest {
  return {
    method: 'POST',
    path: '/tokens/validate',
    headers: { 'x-tenant-api-key': tenant.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ token: jwt }),
  }
}

/** The look-up of `validateToken`. */
async function findTokenStatement(): Promise<SentStatement> {
  const payload = Buffer.from(JSON.stringify({ sub: verificationPlaceholder })).toString('base64url')
  return await sentStatement(scope => validateToken(scope, `.${payload}.`))
}

function decodePayload(token: string): { sub: string } {
  return JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString())
}

function toValidation(row: { revoked: boolean } | undefined) {
  const valid = row?.revoked === false
  return { valid, over18: valid, reason: valid ? 'OK' : 'TOKEN_REVOKED' }
}
