import { expect } from 'chai'
import { expectError } from '../harness/expect-error.ts'
import { decisionOn, eventOn, sendCallback, sessionOf } from '../harness/provider-callback.ts'
import { stored } from '../harness/stored.ts'
import { tenantClient } from '../harness/tenant-client.ts'
import { createTestTenant } from '../harness/test-service.ts'
import { useNewTenant, useService } from '../harness/use-service.ts'

describe('POST /verify/submit', () => {
  const service = useService()
  const tenant = useNewTenant(service)
  const client = tenantClient(service, tenant)
  beforeEach(async () => {
    service.notifications.length = 0
  })

  async function secondsUntilPoll(verificationId: string): Promise<number> {
    const [row] = await stored<{ seconds: number }>(
      service,
      'select extract(epoch from poll_at - now())::float8 as seconds from open_verification where verification_id = $1',
      [verificationId],
    )
    return row!.seconds
  }

  /** A verification that has got that status from the provider. */
  async function withStatus(status: 'pending' | 'started' | 'submitted' | 'resubmission'): Promise<string> {
    const { verificationId } = (await client.start()).body
    const session = await sessionOf(service, verificationId)
    const reports = {
      pending: [],
      started: [eventOn(session, 7001)],
      submitted: [eventOn(session, 7002)],
      resubmission: [decisionOn(session, 'resubmission_requested', { code: 9103 })],
    }[status]
    for (const report of reports) await sendCallback(service, report)
    const { body } = await client.status(verificationId)
    expect(body.status).to.equal(status)
    return verificationId
  }

  for (const status of ['pending', 'started', 'submitted'] as const) {
    it(`sets a verification that was ${status} to submitted, and schedules an early poll of the provider`, async () => {
      const verificationId = await withStatus(status)
      const response = await client.submit(verificationId)
      expect(response.status).to.equal(200)
      const open = { confidence: null, completedAt: null }
      expect(response.body).to.include({ verificationId, status: 'submitted', ...open })
      expect(response.body).to.deep.equal((await client.status(verificationId)).body)
      expect((await client.submit(verificationId)).body).to.deep.equal(response.body)
      expect(service.notifications).to.include('polling')
      expect(await secondsUntilPoll(verificationId)).to.be.at.most(30)
    })
  }

  it('leaves a verification in resubmission as it is, and schedules an early poll', async () => {
    const verificationId = await withStatus('resubmission')
    const before = (await client.status(verificationId)).body
    const response = await client.submit(verificationId)
    expect(response.status).to.equal(200)
    expect(response.body).to.deep.equal(before)
    expect((await client.status(verificationId)).body).to.deep.equal(before)
    const [row] = await stored<{ entries: number }>(
      service,
      'select cardinality(timeline) as entries from verification where id = $1',
      [verificationId],
    )
    expect(row!.entries).to.equal(1)
    expect(service.notifications).to.include('polling')
    expect(await secondsUntilPoll(verificationId)).to.be.at.most(30)
  })

  for (const outcome of ['approve-adult', 'decline', 'expire'] as const) {
    it(`rejects a completed verification (${outcome}) and changes nothing`, async () => {
      const verificationId = await client.decided(outcome)
      const before = (await client.status(verificationId)).body
      service.notifications.length = 0
      expectError(await client.submit(verificationId), 'VERIFICATION_ALREADY_COMPLETED')
      expect((await client.status(verificationId)).body).to.deep.equal(before)
      expect(service.notifications).to.deep.equal([])
    })
  }

  it("doesn't change another tenant's verification", async () => {
    const verificationId = await withStatus('pending')
    const other = tenantClient(service, await createTestTenant(service))
    expectError(await other.submit(verificationId), 'VERIFICATION_NOT_FOUND')
    expect((await client.status(verificationId)).body.status).to.equal('pending')
  })
})
