import { expect } from 'chai'
import { createApiKey } from '#domain/api-key/create-api-key.ts'
import { definePlan } from '#domain/plan/define-plan.ts'
import { forTenant } from '#domain/scope.ts'
import { stored } from '../harness/stored.ts'
import { tenantClient } from '../harness/tenant-client.ts'
import { createTestTenant } from '../harness/test-service.ts'
import { useService } from '../harness/use-service.ts'

describe('The requests of an API key', () => {
  const service = useService()

  it('are counted by endpoint and failure if the key admits them, and not otherwise', async () => {
    await definePlan(service.operator(), { name: 'small', rateLimitPerMinute: 4 })
    const tenant = await createTestTenant(service, { plan: 'small' })
    const { key, value } = await createApiKey(forTenant(service.operator(), tenant.tenantId), {
      name: 'read only',
      scopes: ['verifications:read'],
    })
    const client = tenantClient(service, tenant)
    const reader = tenantClient(service, { apiKey: value })
    const { body } = await client.start()
    const responses = [
      await client.start({ unknown: true }),
      await client.submit(body.verificationId),
      await client.send('/verify/complete', {
        method: 'POST',
        json: { verificationId: body.verificationId },
      }),
      await client.start(),
      await client.status(body.verificationId),
      await client.status('nonsense'),
      await client.validate('nonsense'),
      await reader.status(body.verificationId),
      await reader.start(),
      await tenantClient(service, { apiKey: 'nonsense' }).start(),
    ]
    expect(responses.map(({ status }) => status)).to.deep.equal([
      400, 200, 400, 429, 200, 400, 200, 200, 403, 401,
    ])
    await service.services.keyUsage.close()
    const counted = await stored(
      service,
      `select api_key_id as id, starts, status_reads as "statusReads", submits, completes, validations,
         client_errors as "clientErrors", rate_limited as "rateLimited"
       from api_key_usage where tenant_id = $1 and day = current_date order by starts desc`,
      [tenant.tenantId],
    )
    expect(counted).to.deep.equal([
      {
        id: tenant.apiKeyId,
        starts: 3,
        statusReads: 2,
        submits: 1,
        completes: 1,
        validations: 1,
        clientErrors: 3,
        rateLimited: 1,
      },
      {
        id: key.id,
        starts: 0,
        statusReads: 1,
        submits: 0,
        completes: 0,
        validations: 0,
        clientErrors: 0,
        rateLimited: 0,
      },
    ])
  })
})
