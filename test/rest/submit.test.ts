import { expect } from 'chai'
import { type OpenStatus, openStatuses } from '#domain/verification-status.ts'
import { expectError } from '../harness/expect-error.ts'
import { decisionOn, eventOn, sendCallback, sessionOf } from '../harness/provider-callback.ts'
import { stored } from '../harness/stored.ts'
import { tenantClient } from '../harness/tenant-client.ts'
import { useNewTenant, useService } from '../harness/use-service.ts'

describe('POST /verify/submit', () => {
  const service = useService()
  const tenant = useNewTenant(service)
  const client = tenantClient(service, tenant)
  beforeEach(async () => {
    service.wakeUps.length = 0
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
  async function withStatus(status: OpenStatus): Promise<string> {
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

  for (const status of openStatuses) {
    it(`leaves a verification that is ${status} as it is, and has the provider asked soon`, async () => {
      const verificationId = await withStatus(status)
      const rowOf = () =>
        stored(service, 'select to_jsonb(v) from verification v where id = $1', [verificationId])
      const [row, { body }] = [await rowOf(), await client.status(verificationId)]
      for (let times = 0; times < 2; times++) {
        const response = await client.submit(verificationId)
        expect(response.status).to.equal(200)
        expect(response.body).to.deep.equal(body)
      }
      expect(await rowOf()).to.deep.equal(row)
      expect(service.wakeUps).to.deep.equal(['polling', 'polling'])
      expect(await secondsUntilPoll(verificationId)).to.be.at.most(30)
    })
  }

  for (const outcome of ['approve-adult', 'decline', 'expire'] as const) {
    it(`rejects a completed verification (${outcome}) and changes nothing`, async () => {
      const verificationId = await client.decided(outcome)
      const before = (await client.status(verificationId)).body
      service.wakeUps.length = 0
      expectError(await client.submit(verificationId), 'VERIFICATION_ALREADY_COMPLETED')
      expect((await client.status(verificationId)).body).to.deep.equal(before)
      expect(service.wakeUps).to.deep.equal([])
    })
  }
})
