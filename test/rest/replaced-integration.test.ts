import { expect } from 'chai'
import { pollVerification } from '#domain/verification/poll-verification.ts'
import { decisionOn, eventOn, sendCallback, sessionOf } from '../harness/provider-callback.ts'
import { control, tenantClient } from '../harness/tenant-client.ts'
import { useService, useTenant } from '../harness/use-service.ts'

describe('A service whose integration at the provider was replaced', () => {
  const replaced = useService()
  const service = useService(() => ({ replaces: replaced }))
  const tenant = useTenant(replaced)
  const old = tenantClient(replaced, tenant)
  const client = tenantClient(service, tenant)
  const statusOf = async (id: string) => (await client.status(id)).body.status

  it('takes callbacks about old sessions, signed as before, and about new ones', async () => {
    const { verificationId: before } = (await old.start()).body
    const { verificationId: after } = (await client.start()).body
    const asBefore = { apiKey: replaced.veriff.apiKey, secret: replaced.veriff.sharedSecret }
    const session = await sessionOf(service, before)
    expect((await sendCallback(service, eventOn(session, 7001), asBefore)).status).to.equal(200)
    expect((await sendCallback(service, decisionOn(session, 'approved'), asBefore)).status).to.equal(200)
    expect(await statusOf(before)).to.equal('approved')
    const declined = decisionOn(await sessionOf(service, after), 'declined')
    expect((await sendCallback(service, declined)).status).to.equal(200)
    expect(await statusOf(after)).to.equal('denied')
    for (const mixed of [{ apiKey: replaced.veriff.apiKey }, { secret: replaced.veriff.sharedSecret }]) {
      expect((await sendCallback(service, declined, mixed)).status).to.equal(403)
    }
  })

  it('finds decisions of both whose callbacks were lost', async () => {
    for (const [from, starting] of [
      [replaced, old],
      [service, client],
    ] as const) {
      const { verificationId } = (await starting.start()).body
      const { sessionId } = await sessionOf(service, verificationId)
      const poll = () =>
        pollVerification(service.operator(), { verificationId, test: false, providerSessionId: sessionId })
      expect(await poll()).to.equal('undecided')
      await control(from, verificationId, 'decide', { outcome: 'approve-adult', delivery: 'missing' })
      expect(await poll()).to.equal('applied')
      expect(await statusOf(verificationId)).to.equal('approved')
    }
  })
})
