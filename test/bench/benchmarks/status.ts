import { timeOfId } from '#domain/ids.ts'
import { getVerificationStatus } from '#domain/verification/get-verification-status.ts'
import { statusOfAny, statusRequest } from '../fixture/add-history.ts'
import { addVerifications } from '../fixture/add-verifications.ts'
import { fill, sentStatement, verificationPlaceholder } from '../floor/sent-statement.ts'
import type { RequestScenario } from './request-scenario.ts'

const perTenant = 20

export const status: RequestScenario = {
  name: 'status',
  description:
    'GET /verify/status of pending verifications, distributed over the tenants; with --verifications of any.',
  floorDescription: 'SHA-256 of the key, the admission script in Redis, the same SELECT, JSON.',
  status: 200,
  single: false,
  async requests(fixture) {
    if (fixture.verifications > 0) return await statusOfAny(fixture)
    const verifications = await addVerifications(fixture, fixture.tenants.length * perTenant)
    return verifications.map(({ id, tenant }) => statusRequest(id, tenant.apiKey))
  },
  async floor({ pool, admit }) {
    const find = await sentStatement(scope => getVerificationStatus(scope, verificationPlaceholder))
    return async ({ headers, query }) => {
      const tenantId = await admit(String(headers['x-tenant-api-key']), 'verifications:read', 'read')
      const verificationId = query.slice(query.indexOf('=') + 1)
      const { rows } = await pool.query(fill(find, { [verificationPlaceholder]: verificationId, tenantId }))
      const { status, confidence, completedAt } = rows[0]
      return {
        verificationId,
        status,
        provider: 'veriff',
        confidence,
        createdAt: timeOfId(verificationId).toISOString(),
        completedAt: completedAt?.toISOString() ?? null,
      }
    }
  },
}

/** The latency of an idle service. */
export const statusAlone: RequestScenario = {
  ...status,
  name: 'status-1',
  description:
    'GET /verify/status of pending verifications, from one connection: the latency of an idle service.',
  connections: 1,
}

export const statusCrowded: RequestScenario = {
  ...status,
  name: 'status-256',
  description:
    'GET /verify/status of pending verifications, distributed over the tenants, from 256 connections.',
  connections: 256,
}
