import { expect } from 'chai'
import { countRecords, noRecords } from '../harness/stored.ts'
import { tenantClient } from '../harness/tenant-client.ts'
import { useNewTenant, useService } from '../harness/use-service.ts'

describe('POST /verify/start', () => {
  const service = useService()
  const tenant = useNewTenant(service)
  const client = tenantClient(service, tenant)

  it('returns a started session that can be polled as pending', async () => {
    const started = await client.start()
    expect(started.status).to.equal(201)
    expect(started.body).to.have.all.keys('verificationId', 'status', 'provider', 'sessionUrl', 'config')
    expect(started.body).to.include({ status: 'started', provider: 'veriff' })
    expect(started.body.config).to.deep.equal({ pollingIntervalMs: 3000, tokenType: 'jwt' })
    const { status, body } = await client.status(started.body.verificationId)
    expect(status).to.equal(200)
    expect(body).to.include({ status: 'pending', confidence: null, completedAt: null })
  })

  it('accepts a userAgent and an ip, and counts one start', async () => {
    const { status } = await client.start({ userAgent: 'Größe 🙂', ip: '2001:db8::1' })
    expect(status).to.equal(201)
    expect(await countRecords(service, tenant.tenantId)).to.deep.equal({
      ...noRecords,
      verifications: 1,
      used: 1,
    })
  })
})
