import { expect } from 'chai'
import { createTestDatabase } from '#test/support/database.ts'
import { setReachable } from '#test/support/database-outage.ts'
import { expectError } from '#test/support/expect-error.ts'
import { call } from '#test/support/tenant-client.ts'
import { startTestService } from '#test/support/test-service.ts'

describe('GET /.well-known/jwks.json while the database is away', () => {
  it('answers 500, which no cache may keep, and the keys once it is back', async () => {
    const database = await createTestDatabase()
    const service = await startTestService({ databaseUrl: database.url })
    try {
      const keySet = () => call(`${service.baseUrl}/.well-known/jwks.json`)
      await setReachable(database.url, false)
      const refused = await keySet()
      expectError(refused, 'DATABASE_ERROR')
      expect(refused.headers.get('cache-control')).to.equal('no-store')
      await setReachable(database.url, true)
      expect((await keySet()).body.keys).to.have.length(1)
    } finally {
      await service.close()
      await database.close()
    }
  })
})
