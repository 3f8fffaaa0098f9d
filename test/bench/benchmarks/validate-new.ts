import { createPublicKey, verify } from 'node:crypto'
import { addTokens } from '../fixture/add-tokens.ts'
import { fill, verificationPlaceholder } from '../floor/sent-statement.ts'
import type { RequestScenario } from './request-scenario.ts'
import { findTokenStatement, payloadOf, validationOf, validationRequest } from './validate.ts'

export const validateNew: RequestScenario = {
  name: 'validate-new',
  description:
    'POST /tokens/validate of valid tokens, each for the first time, distributed over the tenants.',
  floorDescription:
    'SHA-256 of the key, the admission script in Redis, the ES256 signature check with node:crypto, the same ' +
    'SELECT, JSON.',
  status: 200,
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
      const values = { tenantId, [verificationPlaceholder]: payloadOf(token).sub }
      const { rows } = await pool.query(fill(find, values))
      return validationOf(rows[0])
    }
  },
}
