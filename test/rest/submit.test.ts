import { expect } from 'chai'
import { expectError, expectIssueAt } from '#test/support/expect-error.ts'
import { decisionOn, eventOn, sendCallback, sessionOf } from '#test/support/provider-callback.ts'
import { stored } from '#test/support/stored.ts'
import { tenantClient } from '#test/support/tenant-client.ts'
import { createTestTenant } from '#test/support/test-service.ts'
import { useNewTenant, useService } from '#test/support/use-service.ts'

describe('POST /verify/submit', () => {
  const service = useService()
  const tenant = useNewTenant(service)
  const client = tenantClient(service, tenant)
  beforeEach(async () => {
    service.notifications.length = 0
  })

  async function started(): Promise<string> {
    return (await client.start()).body.verificationId
  }

  /** A verification that the provider has brought into the status. */
  async function broughtTo(status: 'pending' | 'started' | 'submitted' | 'resubmission'): Promise<string> {
    const verificationId = await started()
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

  for (const status of ['pending', 'started', 'submitted', 'resubmission'] as const) {
    it(`leaves a verification that was ${status} submitted, as status tells too`, async () => {
      const verificationId = await broughtTo(status)
      const answer = await client.submit(verificationId)
      expect(answer.status).to.equal(200)
      expect(answer.body).to.include({
        ...{ verificationId, status: 'submitted', confidence: null, completedAt: null },
      })
      expect(answer.body).to.deep.equal((await client.status(verificationId)).body)
    })
  }

  it('is the same twice', async () => {
    const verificationId = await started()
    const first = await client.submit(verificationId)
    expect((await client.submit(verificationId)).body).to.deep.equal(first.body)
  })

  it('has the provider asked soon, so that a lost callback leaves nobody waiting', async () => {
    const verificationId = await started()
    await client.submit(verificationId)
    expect(service.notifications).to.include('tasks')
    const [row] = await stored<{ seconds: number }>(
      service,
      'select extract(epoch from ask_provider_at - now())::float8 as seconds from verification where id = $1',
      [verificationId],
    )
    expect(row!.seconds).to.be.at.most(30)
  })

  for (const outcome of ['approve-adult', 'decline', 'expire'] as const) {
    it(`refuses a verification that is completed (${outcome}), and changes nothing`, async () => {
      const verificationId = await client.decided(outcome)
      const before = (await client.status(verificationId)).body
      service.notifications.length = 0
      expectError(await client.submit(verificationId), 'VERIFICATION_ALREADY_COMPLETED')
      expect((await client.status(verificationId)).body).to.deep.equal(before)
      expect(service.notifications).to.deep.equal([])
    })
  }

  it('knows no verification that was never started', async () => {
    const answer = await client.submit('019a0b1c-2d3e-7f40-8a5b-6c7d8e9fa0b1')
    expectError(answer, 'VERIFICATION_NOT_FOUND')
  })

  it("does not touch another tenant's verification, completed or not", async () => {
    const other = await createTestTenant(service)
    const open = await started()
    const done = await client.decided('approve-adult')
    for (const verificationId of [open, done]) {
      expectError(await tenantClient(service, other).submit(verificationId), 'VERIFICATION_NOT_FOUND')
    }
    expect((await client.status(open)).body.status).to.equal('pending')
  })

  for (const [title, json, path] of [
    ['no identifier', {}, 'verificationId'],
    ['a null', { verificationId: null }, 'verificationId'],
    ['a number', { verificationId: 1 }, 'verificationId'],
    ['a UUID of version 4', { verificationId: '9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d' }, 'verificationId'],
    ['a NUL', { verificationId: '\0' }, 'verificationId'],
    ['a field that is not declared', { verificationId: someId(), status: 'approved' }, 'status'],
  ] as const) {
    it(`refuses ${title}`, async () => {
      const answer = await client.send('/verify/submit', { method: 'POST', json })
      expectIssueAt(answer, path)
    })
  }

  it('refuses an absent body', async () => {
    const answer = await client.send('/verify/submit', { method: 'POST' })
    expectError(answer, 'INVALID_REQUEST_BODY')
  })

  it('refuses the identifier as a query parameter', async () => {
    const path = `/verify/submit?verificationId=${someId()}`
    const answer = await client.send(path, { method: 'POST', json: { verificationId: someId() } })
    expectIssueAt(answer, 'verificationId', 'INVALID_PARAMETERS')
  })
})

function someId(): string {
  return '019a0b1c-2d3e-7f40-8a5b-6c7d8e9fa0b1'
}
