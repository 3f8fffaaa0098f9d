import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { demoTenant, tenantOf } from '#test/harness/processes/demo-tenant.ts'
import { operate, operateByNpm } from '#test/harness/processes/operate.ts'
import { serviceFixture } from '#test/harness/processes/service-fixture.ts'
import { type ServiceProcess, untilNone } from '#test/harness/processes/service-process.ts'
import { call } from '../harness/tenant-client.ts'

const unknown = '01a00000-0000-7000-8000-000000000000'

describe('npm start in an empty folder', function () {
  this.timeout(90_000)
  const fixture = serviceFixture()
  let service: ServiceProcess
  let tenantId: string
  let apiKey: string
  let curl: string
  before(async () => {
    service = await fixture.start({ runsInitdb: true })
    ;({ tenantId, apiKey } = await demoTenant(service))
    ;[, curl = ''] = await service.says(/^ {2}(curl .*)$/m)
  })

  it('prints addresses that respond', async () => {
    const lines = [...service.out().matchAll(/^ {2}(Service|Dashboard|Veriff|Sign-in|Events) +(\S+)/gm)]
    expect(lines.map(([, name]) => name)).to.deep.equal([
      'Service',
      'Dashboard',
      'Veriff',
      'Sign-in',
      'Events',
    ])
    const address = Object.fromEntries(lines.map(([, name, url]) => [name, url]))
    expect(address.Service).to.equal(service.baseUrl)
    expect((await call(`${address.Service}/health/ready`)).body).to.deep.equal({
      status: 'ok',
      dependencies: { database: 'up' },
      simulators: ['identity_provider', 'sign_in_provider'],
    })
    expect((await call(`${address.Service}/docs`)).status).to.equal(200)
    expect((await call(`${address.Dashboard}/`)).body).to.match(/<div id="root">/)
    expect((await call(`${address['Sign-in']}/.well-known/openid-configuration`)).status).to.equal(200)
    expect((await call(address.Events!)).status).to.equal(200)
    expect((await call(address.Veriff!)).status).to.be.lessThan(500)
  })

  it('prints a curl command that starts a verification without changes', async () => {
    const { stdout } = await promisify(execFile)('/bin/sh', ['-c', `${curl} --silent --show-error`])
    const response = JSON.parse(stdout)
    expect(response).to.include({ status: 'started' })
    expect((await call(response.sessionUrl)).status).to.equal(200)
  })

  it('rejects a key from the next request on after the operator has revoked it', async () => {
    const key = await operate(service, 'key', 'create', '--tenant', tenantId)
    const { status } = tenantOf(service, key.apiKey)
    expect((await status(unknown)).body.error).to.equal('VERIFICATION_NOT_FOUND')
    await operate(service, 'key', 'revoke', '--key', key.apiKeyId)
    expect(await status(unknown)).to.have.nested.include({
      status: 401,
      'body.error': 'UNAUTHENTICATED_TENANT',
    })
  })

  it('rejects a tenant from the next request on after the operator has disabled it, until it is enabled', async () => {
    const { status } = tenantOf(service, apiKey)
    await operate(service, 'tenant', 'disable', '--tenant', tenantId)
    expect(await status(unknown)).to.have.nested.include({ status: 401, 'body.error': 'TENANT_INACTIVE' })
    await operate(service, 'tenant', 'enable', '--tenant', tenantId)
    expect((await status(unknown)).body.error).to.equal('VERIFICATION_NOT_FOUND')
  })

  it('keeps its data across a restart, and prints how to create another key instead of the key', async () => {
    const { verificationId } = (await tenantOf(service, apiKey).start()).body
    service.signal('SIGTERM')
    expect(await service.ended).to.include({ code: 0, err: '' })
    await untilNone(fixture.folder)

    service = await fixture.start()
    expect(service.out()).not.to.contain('avk_')
    const [, command] = await service.says(/create another: npm run operator -- (.*)$/m)
    const { status } = tenantOf(service, apiKey)
    expect((await status(verificationId)).body).to.include({ verificationId })
    const another = await operateByNpm(service, ...command!.split(' '))
    const { body } = await tenantOf(service, another.apiKey).status(verificationId)
    expect(body).to.include({ verificationId })
  })
})
