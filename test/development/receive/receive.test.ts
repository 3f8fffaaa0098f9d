import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { stripVTControlCharacters } from 'node:util'
import { expect } from 'chai'
import { addressesOf, demoTenant, tenantOf } from '#test/faults/service/demo-tenant.ts'
import { operate } from '#test/faults/service/operate.ts'
import { serviceFixture } from '#test/faults/service/service-fixture.ts'
import { root, type ServiceProcess } from '#test/faults/service/service-process.ts'
import { eventually } from '../../harness/eventually.ts'
import { call } from '../../harness/tenant-client.ts'

describe('npm run receive', function () {
  this.timeout(90_000)
  const fixture = serviceFixture()
  let service: ServiceProcess
  let tenantId: string
  let apiKey: string
  before(async () => {
    service = await fixture.start()
    ;({ tenantId, apiKey } = await demoTenant(service))
  })

  it('shows a real event of a tenant, whose webhook URL it is until it stops', async () => {
    const settings = () => operate(service, 'tenant', 'settings', '--tenant', tenantId)
    const { webhookUrl: previous } = await settings()
    const { receiver, output, says } = receive('--tenant', tenantId, '--port', '0')
    const [, url] = await says(/Receiving webhook events at (https:\S+).*until you stop it/s)
    expect((await settings()).webhookUrl).to.equal(url)

    const { verificationId } = (await tenantOf(service, apiKey).start()).body
    const { veriffUrl } = await addressesOf(service)
    const decide = `${veriffUrl}/control/sessions/${verificationId}/decide`
    await call(decide, { method: 'POST', json: { outcome: 'approve-minor' } })
    await says(new RegExp(`verification\\.completed {2}approved {2}${verificationId}`))
    await says(/signature valid, with secret 1 of 1; responded 200/)

    receiver.kill('SIGINT')
    const [code] = await once(receiver, 'close')
    expect(code, output()).to.equal(0)
    expect((await settings()).webhookUrl).to.equal(previous)
  })

  it('prints the webhook URL to set and the command that sets it', async () => {
    const { receiver, says } = receive('--port', '0', '--secret', 'whsec_a')
    const [, url] = await says(/Receiving webhook events at (https:\S+) /)
    const command = `npm run --silent operator -- tenant set-webhook --tenant ${tenantId} --url ${url}`
    expect((await says(/^ {2}(npm run .*)$/m))[1]).to.equal(command)
    receiver.kill('SIGTERM')
    expect((await once(receiver, 'close'))[0]).to.equal(0)
  })

  it('fails with one line for a wrong option, and for a tenant that does not exist', async () => {
    const wrong = receive('--port', 'https')
    expect(await wrong.code).to.equal(1)
    expect(wrong.output()).to.match(/^error: option '--port <port>'.*\n$/)
    const unknown = receive('--port', '0', '--tenant', 'nope')
    expect(await unknown.code).to.equal(1)
    expect(unknown.output()).to.match(
      /^The operator command "tenant settings --tenant nope" failed: No tenant has the id nope\. \(in the embedded [^\n]+\)\n$/,
    )
  })

  function receive(...args: string[]) {
    const receiver: ChildProcess = spawn(process.execPath, ['development/receive/main.ts', ...args], {
      cwd: root,
      env: service.env,
    })
    let printed = ''
    for (const stream of [receiver.stdout, receiver.stderr]) {
      stream?.setEncoding('utf8').on('data', chunk => {
        printed += chunk
      })
    }
    const output = () => stripVTControlCharacters(printed)
    const says = async (pattern: RegExp) =>
      pattern.exec(await eventually(output, { until: text => pattern.test(text), timeoutMs: 60_000 }))!
    const code = new Promise<number | null>(resolve => receiver.once('close', resolve))
    return { receiver, output, says, code }
  }
})
