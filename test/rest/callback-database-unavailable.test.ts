import { expect } from 'chai'
import { setReachable } from '../harness/database-outage.ts'
import { expectError } from '../harness/expect-error.ts'
import { decisionOn, sendCallback, sessionOf } from '../harness/provider-callback.ts'
import { tenantClient } from '../harness/tenant-client.ts'
import { useService, useTenant } from '../harness/use-service.ts'

describe('POST /verify/callback while the database is unavailable', () => {
  const service = useService()
  const tenant = useTenant(service)
  const client = tenantClient(service, tenant)

  it('returns 500, so that the provider retries, and 200 once the database is available again', async () => {
    const { verificationId } = (await client.start()).body
    const decision = decisionOn(await sessionOf(service, verificationId), 'approved')
    await setReachable(service.databaseUrl, false)
    expectError(await sendCallback(service, decision), 'DATABASE_ERROR')
    expectError(await client.status(verificationId), 'DATABASE_ERROR')
    expectError(await client.start(), 'DATABASE_ERROR')
    await setReachable(service.databaseUrl, true)
    expect((await sendCallback(service, decision)).status).to.equal(200)
    expect((await client.status(verificationId)).body.status).to.equal('approved')
  })
})
