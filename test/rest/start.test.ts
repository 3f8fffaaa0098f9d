import { expect } from 'chai'
import { tenantClient } from '#test/support/tenant-client.ts'
import {
  createTestTenant,
  startTestService,
  type TestService,
  type TestTenant,
} from '#test/support/test-service.ts'

describe('POST /verify/start', () => {
  let service: TestService
  let tenant: TestTenant
  before(async () => {
    service = await startTestService()
    tenant = await createTestTenant(service)
  })
  after(() => service.close())

  it('answers with a started session that can be polled as pending', async () => {
    const client = tenantClient(service, tenant)
    const started = await client.start()
    expect(started.status).to.equal(201)
    expect(started.body).to.include({ status: 'started', provider: 'veriff' })
    expect(started.body.config).to.deep.equal({ pollingIntervalMs: 3000, tokenType: 'jwt' })
    const { status, body } = await client.status(started.body.verificationId)
    expect(status).to.equal(200)
    expect(body).to.include({ status: 'pending', confidence: null, completedAt: null })
  })
})
