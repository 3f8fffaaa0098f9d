import { expect } from 'chai'
import { setReachable } from '../harness/database-outage.ts'
import { expectError } from '../harness/expect-error.ts'
import { call } from '../harness/tenant-client.ts'
import { useService } from '../harness/use-service.ts'

describe('GET /.well-known/jwks.json while the database is unavailable', () => {
  const service = useService()

  it('returns a 500 that must not be cached, and the keys once the database is available again', async () => {
    const keySet = () => call(`${service.baseUrl}/.well-known/jwks.json`)
    await setReachable(service.databaseUrl, false)
    const failed = await keySet()
    expectError(failed, 'DATABASE_ERROR')
    expect(failed.headers.get('cache-control')).to.equal('no-store')
    await setReachable(service.databaseUrl, true)
    expect((await keySet()).body.keys).to.have.length(1)
  })
})
