import { createHmac } from 'node:crypto'
import { Pool } from 'undici'
import { newId } from '#domain/ids.ts'
import { confirmStart } from '#domain/verification/confirm-start.ts'
import { reserveStart } from '#domain/verification/reserve-start.ts'
import { fill, sentStatement, verificationPlaceholder } from '../floor/sent-statement.ts'
import type { RequestScenario } from './request-scenario.ts'

export const start: RequestScenario = {
  name: 'start',
  description:
    'POST /verify/start without a body, distributed over the tenants; the provider responds immediately.',
  floorDescription:
    'SHA-256 of the key, the admission script in Redis, the same two statements and between them the same ' +
    'signed request to the provider, JSON.',
  status: 201,
  single: false,
  async requests(fixture) {
    return fixture.tenants.map(({ apiKey }) => ({
      method: 'POST',
      path: '/verify/start',
      headers: { 'x-tenant-api-key': apiKey },
    }))
  },
  async floor({ pool, admit, veriff }) {
    const reserve = await sentStatement(scope => reserveStart(scope, verificationPlaceholder))
    const confirm = await sentStatement(scope =>
      confirmStart(scope, {
        verificationId: verificationPlaceholder,
        test: false,
        provider: 'veriff',
        providerSessionId: 'providerSessionId',
        userAgent: null,
        ip: null,
        keyDigest: null,
        encryptedSessionUrl: null,
      }),
    )
    const provider = new Pool(new URL(veriff.baseUrl).origin, { connections: 512 })
    async function createSession(verificationId: string): Promise<{ id: string; url: string }> {
      const body = JSON.stringify({ verification: { vendorData: verificationId } })
      const headers = {
        'content-type': 'application/json',
        'x-auth-client': veriff.apiKey,
        'x-hmac-signature': createHmac('sha256', veriff.sharedSecret).update(body).digest('hex'),
      }
      const response = await provider.request({ method: 'POST', path: '/v1/sessions', headers, body })
      const { verification } = (await response.body.json()) as { verification: { id: string; url: string } }
      return verification
    }
    return async ({ headers }) => {
      const tenantId = await admit(String(headers['x-tenant-api-key']), 'verifications:write', 'write')
      const verificationId = newId(new Date())
      await pool.query(fill(reserve, { tenantId, [verificationPlaceholder]: verificationId }))
      const { id, url } = await createSession(verificationId)
      const started = { tenantId, [verificationPlaceholder]: verificationId, providerSessionId: id }
      await pool.query(fill(confirm, started))
      const config = { pollingIntervalMs: 3000, tokenType: 'jwt' }
      return { verificationId, status: 'started', provider: 'veriff', sessionUrl: url, config }
    }
  },
}

export const startHot: RequestScenario = {
  ...start,
  name: 'start-hot',
  description: 'POST /verify/start without a body, all of one tenant; the provider responds immediately.',
  async requests(fixture, count) {
    return (await start.requests(fixture, count)).slice(0, 1)
  },
}
