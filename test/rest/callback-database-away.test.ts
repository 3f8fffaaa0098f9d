import { expect } from 'chai'
import { createTestDatabase } from '#test/support/database.ts'
import { setReachable } from '#test/support/database-outage.ts'
import { expectError } from '#test/support/expect-error.ts'
import { decisionOn, sendCallback, sessionOf } from '#test/support/provider-callback.ts'
import { tenantClient } from '#test/support/tenant-client.ts'
import { createTestTenant, startTestService } from '#test/support/test-service.ts'

describe('POST /verify/callback while the database is away', () => {
  it('answers 500, so that the provider tries again, and 200 once it is back', async () => {
    const database = await createTestDatabase()
    const service = await startTestService({ databaseUrl: database.url })
    try {
      const tenant = await createTestTenant(service)
      const client = tenantClient(service, tenant)
      const { verificationId } = (await client.start()).body
      const decision = decisionOn(await sessionOf(service, verificationId), 'approved')
      await setReachable(database.url, false)
      expectError(await sendCallback(service, decision), 'DATABASE_ERROR')
      expectError(await client.status(verificationId), 'DATABASE_ERROR')
      expectError(await client.start(), 'DATABASE_ERROR')
      await setReachable(database.url, true)
      expect((await sendCallback(service, decision)).status).to.equal(200)
      expect((await client.status(verificationId)).body.status).to.equal('approved')
    } finally {
      await service.close()
      await database.close()
    }
  })
})
