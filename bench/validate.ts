import { createHash } from 'node:crypto'
import { validateToken } from '#domain/token/validate-token.ts'
import { addTokens } from './fixture/add-tokens.ts'
import { fill, sentStatement, verificationPlaceholder } from './floor/sent-statement.ts'
import type { Scenario } from './scenario.ts'

const perTenant = 20

export const validate: Scenario = {
  name: 'validate',
  description: 'POST /tokens/validate of valid tokens that are in the cache, distributed over the tenants.',
  floorDescription:
    'SHA-256 of the key, the admission script in Redis, SHA-256 of the token and a Map instead of a signature ' +
    'check, the same SELECT, JSON.',
  status: 200,
  single: false,
  async requests(fixture) {
    const tokens = await addTokens(fixture, fixture.tenants.length * perTenant)
    return tokens.map(({ jwt, tenant }) => ({
      method: 'POST',
      path: '/tokens/validate',
      headers: { 'x-tenant-api-key': tenant.apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ token: jwt }),
    }))
  },
  async floor({ pool, admit }) {
    const verifiedTokens = { get: () => ({ aud: 'tenantId', sub: verificationPlaceholder, jti: 'jti' }) }
    const find = await sentStatement(scope => validateToken({ ...scope, verifiedTokens } as never, ''))
    const cache = new Map<string, { sub: string; jti: string }>()
    return async ({ headers, body }) => {
      const tenantId = await admit(String(headers['x-tenant-api-key']), 'tokens:validate', 'read')
      const { token } = JSON.parse(body.toString()) as { token: string }
      const fingerprint = createHash('sha256').update(token).digest('base64')
      const payload = cache.get(fingerprint) ?? payloadOf(token)
      cache.set(fingerprint, payload)
      const values = { tenantId, [verificationPlaceholder]: payload.sub }
      const { rows } = await pool.query(fill(find, values))
      const valid = rows[0]?.revoked === false
      return { valid, over18: valid, reason: valid ? 'OK' : 'TOKEN_REVOKED' }
    }
  },
}

function payloadOf(token: string): { sub: string; jti: string } {
  return JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString())
}
