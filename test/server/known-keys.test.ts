import { expect } from 'chai'
import { createApiKey } from '#domain/api-key/create-api-key.ts'
import { hashKeyValue } from '#domain/api-key/key-value.ts'
import { revokeApiKey } from '#domain/api-key/revoke-api-key.ts'
import { KnownClients } from '#domain/fairness/known-clients.ts'
import { forTenant } from '#domain/scope.ts'
import { createKeyAdmission } from '#server/admission/key-admission.ts'
import { createTestDatabase } from '../harness/database.ts'
import { tenantClient } from '../harness/tenant-client.ts'
import { createTestTenant, startTestService } from '../harness/test-service.ts'
import { useOpened } from '../harness/use-opened.ts'
import { useService } from '../harness/use-service.ts'

describe('The keys that a process knows', () => {
  const database = useOpened(createTestDatabase)
  const service = useService(() => ({ databaseUrl: database.url }))

  it('are from its start on those that were used within a day', async () => {
    const [used, unused] = [await createTestTenant(service), await createTestTenant(service)]
    expect((await tenantClient(service, used).validate('x')).status).to.equal(200)
    await service.services.keyUse.close()
    const other = await startTestService({ databaseUrl: database.url })
    try {
      const { knownKeys } = other.services
      expect([used, unused].map(({ apiKey }) => knownKeys.tenantOf(hashKeyValue(apiKey)))).to.deep.equal([
        used.tenantId,
        undefined,
      ])
    } finally {
      await other.close()
    }
  })

  it('are those that were found, with their tenant, until they are rejected', async () => {
    const { tenantId, apiKey, apiKeyId } = await createTestTenant(service)
    const scope = forTenant(service.operator(), tenantId)
    const second = await createApiKey(scope, { name: 'second' })
    const known = new KnownClients(10)
    const { database, counter } = service.services
    const admission = createKeyAdmission(database.pool, counter, known)
    const request = { scope: 'verifications:read', rateClass: 'read' } as const
    const admit = (key: string) =>
      admission.admit({ ...request, keyHash: hashKeyValue(key), now: new Date() })
    expect(known.tenantOf(hashKeyValue(apiKey))).to.equal(undefined)
    await admit(apiKey)
    await admit(second.value)
    expect([apiKey, second.value].map(key => known.tenantOf(hashKeyValue(key)))).to.deep.equal([
      tenantId,
      tenantId,
    ])
    await revokeApiKey(scope, { apiKeyId })
    await admit(apiKey)
    expect(known.tenantOf(hashKeyValue(apiKey))).to.equal(undefined)
    expect(known.tenantOf(hashKeyValue(second.value))).to.equal(tenantId)
  })
})
