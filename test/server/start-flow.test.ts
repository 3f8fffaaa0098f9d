import { createHmac } from 'node:crypto'
import { expect } from 'chai'
import { addressesOf, demoTenant, receivedEvents, tenantOf } from '#test/harness/processes/demo-tenant.ts'
import { operate } from '#test/harness/processes/operate.ts'
import { serviceFixture } from '#test/harness/processes/service-fixture.ts'
import type { ServiceProcess } from '#test/harness/processes/service-process.ts'
import { eventually } from '../harness/eventually.ts'
import { runSteps, type Steps } from '../harness/steps.ts'
import { call } from '../harness/tenant-client.ts'

describe('The whole flow after a first start', function () {
  this.timeout(90_000)
  const fixture = serviceFixture()
  let service: ServiceProcess
  let tenantId: string
  let tenant: ReturnType<typeof tenantOf>
  let verificationId: string
  before(async () => {
    service = await fixture.start()
    const demo = await demoTenant(service)
    tenantId = demo.tenantId
    tenant = tenantOf(service, demo.apiKey)
  })

  const statusNow = async () => (await tenant.status(verificationId)).body.status

  const steps: Steps = {
    async 'complete the check on the hosted page, with each status reported immediately'() {
      const { status, body } = await tenant.start()
      expect(status).to.equal(201)
      verificationId = body.verificationId
      expect(await statusNow()).to.equal('pending')

      const page = await call(body.sessionUrl)
      expect(page.body).to.contain('<form')
      expect(await statusNow()).to.equal('started')

      expect((await call(`${body.sessionUrl}/submit`, { method: 'POST' })).status).to.equal(303)
      expect(await statusNow()).to.equal('submitted')

      const form = { 'content-type': 'application/x-www-form-urlencoded' }
      const decided = await call(`${body.sessionUrl}/decide`, {
        method: 'POST',
        headers: form,
        raw: 'outcome=approve-adult',
      })
      expect(decided.status).to.equal(303)
      expect(await statusNow()).to.equal('approved')
    },

    async 'validate the token that the tenant received'() {
      const { token } = (await tenant.status(verificationId)).body
      const { status, body } = await tenant.validate(token)
      expect(status).to.equal(200)
      expect(body).to.include({ valid: true, over18: true, reason: 'OK' })
    },

    async 'receive one webhook event, signed with the tenant’s secret over the raw bytes'() {
      const events = await eventually(() => receivedEvents(service), {
        until: received => received.length > 0,
      })
      expect(events).to.have.length(1)
      const { headers, body, raw, signature } = events[0]!
      expect(body).to.deep.include({ event: 'verification.completed', tenantId })
      expect(body.data).to.include({ verificationId, status: 'approved' })

      // Setting the same URL again keeps the secret and returns it.
      const { webhookUrl } = await addressesOf(service)
      const set = ['tenant', 'set-webhook', '--tenant', tenantId, '--url', webhookUrl]
      const { webhookSecret } = await operate(service, ...set)
      const expected = createHmac('sha256', webhookSecret).update(raw).digest('hex')
      expect(headers['x-webhook-signature']).to.equal(expected)
      expect(signature).to.equal('valid')
    },
  }

  it('verifies a user, with a valid token and one signed webhook event', () => runSteps(steps))
})
