import { execFile } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { readReceivedEvents } from '#development/local-service.ts'
import { addressesOf, demoTenant, tenantOf } from '#test/harness/processes/demo-tenant.ts'
import { operateByNpm } from '#test/harness/processes/operate.ts'
import { processesOf } from '#test/harness/processes/process-tree.ts'
import { serviceFixture } from '#test/harness/processes/service-fixture.ts'
import { type ServiceProcess, untilNone } from '#test/harness/processes/service-process.ts'
import { eventually } from '../../harness/eventually.ts'
import { type ApiResponse, call } from '../../harness/tenant-client.ts'

describe('npm start in an empty folder', () => {
  const fixture = serviceFixture()
  let service: ServiceProcess
  let tenantId: string
  let apiKey: string
  let curl: string
  let verificationId: string
  before(async () => {
    service = await fixture.start({ runsInitdb: true })
    ;({ tenantId, apiKey } = await demoTenant(service))
    ;[, curl = ''] = await service.says(/^ {2}(curl .*)$/m)
  })

  it('prints addresses that respond', async () => {
    const lines = [...service.out().matchAll(/^ {2}(Service|Dashboard|Sign-in|Events) +(\S+)/gm)]
    expect(lines.map(([, name]) => name)).to.deep.equal(['Service', 'Dashboard', 'Sign-in', 'Events'])
    const address = Object.fromEntries(lines.map(([, name, url]) => [name, url]))
    expect(address.Service).to.equal(service.baseUrl)
    const ready = () => call(`${address.Service}/health/ready`)
    const isKnown = ({ status, body: { dependencies } }: ApiResponse) =>
      status === 200 && dependencies.signInProvider !== undefined && dependencies.worker === 'up'
    expect((await eventually(ready, { until: isKnown })).body).to.deep.equal({
      status: 'ok',
      dependencies: { database: 'up', signInProvider: 'up', worker: 'up' },
      simulators: ['identity_provider', 'sign_in_provider'],
    })
    expect((await call(`${address.Service}/docs`)).status).to.equal(200)
    expect((await call(`${address.Dashboard}/`)).body).to.match(/<div id="root">/)
    expect((await call(`${address['Sign-in']}/.well-known/openid-configuration`)).status).to.equal(200)
    expect((await call(address.Events!)).status).to.equal(200)
  })

  it('prints a curl command that starts a verification without changes', async () => {
    const { stdout } = await promisify(execFile)('/bin/sh', ['-c', `${curl} --silent --show-error`])
    const response = JSON.parse(stdout)
    expect(response).to.include({ status: 'started' })
    expect((await call(response.sessionUrl)).status).to.equal(200)
  })

  it('verifies a user on the hosted page, with each status reported immediately, and a valid token', async () => {
    const tenant = tenantOf(service, apiKey)
    const { sessionUrl, ...started } = (await tenant.start()).body
    verificationId = started.verificationId
    const statusNow = async () => (await tenant.status(verificationId)).body.status
    expect(await statusNow()).to.equal('pending')
    expect((await call(sessionUrl)).body).to.contain('<form')
    expect(await statusNow()).to.equal('started')
    expect((await call(`${sessionUrl}/submit`, { method: 'POST' })).status).to.equal(303)
    expect(await statusNow()).to.equal('submitted')
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const decision = { method: 'POST', headers, raw: 'outcome=approve-adult' } as const
    expect((await call(`${sessionUrl}/decide`, decision)).status).to.equal(303)
    expect(await statusNow()).to.equal('approved')
    const { token } = (await tenant.status(verificationId)).body
    const { status, body } = await tenant.validate(token)
    expect(status).to.equal(200)
    expect(body).to.include({ valid: true, over18: true, reason: 'OK' })
  })

  it('delivers one webhook event, signed with the tenant’s secret over the raw bytes', async () => {
    const { eventsUrl } = await addressesOf(service)
    const [event, ...more] = await eventually(() => readReceivedEvents(eventsUrl), {
      until: received => received.length > 0,
    })
    expect(more).to.deep.equal([])
    const { headers, body, raw, signature } = event!
    expect(body).to.deep.include({ event: 'verification.completed', tenantId })
    expect(body!.data).to.include({ verificationId, status: 'approved' })
    const [, secret = ''] = await service.says(/Webhook secret +(whsec_[\w-]+)/)
    const expected = createHmac('sha256', secret).update(raw).digest('hex')
    expect(headers['x-webhook-signature']).to.equal(expected)
    expect(signature).to.equal('valid')
  })

  it('keeps its data across a restart on SIGINT, even if it is sent twice, and prints no key again', async () => {
    service.signal('SIGINT')
    service.signal('SIGINT')
    expect(await service.ended).to.include({ code: 0, signal: null, err: '' })
    await untilNone(fixture.folder)

    service = await fixture.start()
    expect(service.out()).not.to.contain('avk_')
    const [, command] = await service.says(/create another: npm run operator -- (.*)$/m)
    await expectData()
    const another = await operateByNpm(service, ...command!.split(' '))
    const { body } = await tenantOf(service, another.apiKey).status(verificationId)
    expect(body).to.include({ verificationId })
  })

  it('replaces the PostgreSQL that a killed Node process has left running, with all its data', async () => {
    service.signal('SIGKILL')
    expect(await service.ended).to.include({ signal: 'SIGKILL' })
    const orphans = processesOf(service.dataFolder)
    expect(orphans).not.to.deep.equal([])
    service = await fixture.start()
    await expectData()
    expect(processesOf(service.dataFolder)).not.to.include.members(orphans)
  })

  async function expectData(): Promise<void> {
    const { body } = await tenantOf(service, apiKey).status(verificationId)
    expect(body).to.include({ verificationId, status: 'approved' })
  }
})
