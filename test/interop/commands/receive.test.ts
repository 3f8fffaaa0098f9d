import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { expect } from 'chai'
import { demoTenant, tenantOf } from '#test/harness/processes/demo-tenant.ts'
import { operate } from '#test/harness/processes/operate.ts'
import { serviceFixture } from '#test/harness/processes/service-fixture.ts'
import { root, type ServiceProcess } from '#test/harness/processes/service-process.ts'
import { temporaryFolder } from '../../development/temporary-folder.ts'
import { eventBody, post, send, sign } from '../../development/webhook-receiver/fixture.ts'
import { eventually } from '../../harness/eventually.ts'
import { listenLocally } from '../../harness/listen-locally.ts'

describe('npm run receive', function () {
  this.timeout(90_000)
  const folder = temporaryFolder()
  let receivers: ChildProcess[] = []
  afterEach(() => {
    for (const receiver of receivers) receiver.kill('SIGKILL')
    receivers = []
  })

  it('says with which secret an event is signed, and rejects one that is signed with none', async () => {
    const { receiver, says } = await listening('--secret', 'new', '--secret', 'old')
    const [one, two] = [eventBody('one'), eventBody('two')]
    expect(await post(receiver, one, sign(one, 'new'))).to.equal(200)
    const shown = await says(
      /\d\d:\d\d:\d\d {2}verification\.completed {2}approved {2}one\n +signature valid, with secret 1 of 2; responded 200\n +(.*)\n/,
    )
    expect(shown[1]).to.equal(one)
    expect(await post(receiver, two, sign(two, 'other'))).to.equal(401)
    await says(/approved {2}two\n +signature INVALID with each of 2 secrets; responded 401\n/)
    expect(await post(receiver, two, sign(two, 'old'))).to.equal(200)
    await says(/signature valid, with secret 2 of 2; responded 200; received 2 times\n/)
  })

  it('refuses to start with a secret that anybody can sign with', async () => {
    const variables = ['', 'new, ,old'].map(secrets => run({ ...process.env, WEBHOOK_SECRETS: secrets }))
    const option = run(process.env, '--secret', 'old', '--secret', '"new"')
    for (const { says } of [...variables, option]) {
      await says(
        /^error: each --secret, and each part of WEBHOOK_SECRETS, must be a webhook secret, without quotes\n$/,
      )
    }
  })

  it('reads the file of its secrets again before it rejects an event, so that a rotation can be rehearsed', async () => {
    const file = join(folder.path, 'secrets')
    await writeFile(file, 'old\n')
    const { receiver, says, output } = await listeningWith({ WEBHOOK_SECRETS_FILE: file })
    const [one, two, three] = [eventBody('one'), eventBody('two'), eventBody('three')]
    expect(await post(receiver, one, sign(one, 'old'))).to.equal(200)
    await writeFile(file, 'new, old\n')
    expect(await post(receiver, two, sign(two, 'new'))).to.equal(200)
    await says(/approved {2}two\n +signature valid, with secret 1 of 2/)
    expect(output()).not.to.contain('INVALID')
    await writeFile(file, 'new\n')
    expect(await post(receiver, three, sign(three, 'other'))).to.equal(401)
    expect(await post(receiver, three, sign(three, 'old'))).to.equal(401)
    await writeFile(file, '\n')
    expect(await post(receiver, three, sign(three, ''))).to.equal(503)
  })

  it('trims secrets', async () => {
    const { receiver } = await listening('--secret', ' new\n')
    expect(await post(receiver, eventBody('one'), sign(eventBody('one'), 'new'))).to.equal(200)
  })

  it('accepts every event while it knows no secret, and executes no control characters of what it gets', async () => {
    const { receiver, printed, says } = await listening()
    expect(await post(receiver, eventBody('\u001b[2Jone'))).to.equal(200)
    await says(/signature not verified: no secret is known/)
    expect(printed()).to.not.contain('\u001b[2J')
    expect(await post(receiver, 'x'.repeat(64 * 1024 + 1))).to.equal(400)
    await says(/A request could not be handled: The body must be at most 65536 bytes/)
  })

  it('responds with the status that was asked for, after a delay, and reports a sender that does not wait', async () => {
    const { receiver, says } = await listening('--status', '500', '--delay', '1')
    expect(await post(receiver, eventBody('one'))).to.equal(500)
    await says(/responded 500/)
    const sent = (await send(receiver, eventBody('two'))).once('error', () => {})
    await once(sent, 'finish')
    setTimeout(() => sent.destroy(), 100)
    await says(/500 not sent: the sender closed the connection before/)
  })

  it('passes events on unchanged, and responds as the program does', async () => {
    const received: unknown[] = []
    const program = createServer(async (request, response) => {
      let body = ''
      for await (const chunk of request) body += chunk
      const { 'x-webhook-signature': signature, 'x-webhook-event': event } = request.headers
      received.push({ body, signature, event })
      response.writeHead(418).end()
    })
    const { url, close } = await listenLocally(program)
    const { receiver, says } = await listening('--forward-to', `${url}/hook`)
    const body = `${eventBody('one')} `
    expect(await post(receiver, body)).to.equal(418)
    expect(received).to.deep.equal([{ body, signature: sign(body), event: 'verification.completed' }])
    await close()
    expect(await post(receiver, body)).to.equal(502)
    await says(/responded 502 \(not forwarded: .+\)/)
  })

  describe('with a service', () => {
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
      const { child, output, says } = run(service.env, '--tenant', tenantId, '--port', '0')
      const [, url] = await says(/Receiving webhook events at (https:\S+).*until you stop it/s)
      expect((await settings()).webhookUrl).to.equal(url)

      const { verificationId } = (await tenantOf(service, apiKey).start()).body
      await tenantOf(service, apiKey).choose(verificationId, 'minor')
      await says(new RegExp(`verification\\.completed {2}approved {2}${verificationId}`))
      await says(/signature valid, with secret 1 of 1; responded 200/)

      await operate(service, 'tenant', 'rotate-webhook-secret', '--tenant', tenantId)
      const next = (await tenantOf(service, apiKey).start()).body
      await tenantOf(service, apiKey).choose(next.verificationId, 'adult')
      await says(new RegExp(`${next.verificationId}\\n +signature valid, with secret 1 of 2; responded 200`))
      expect(output()).not.to.contain('INVALID')

      child.kill('SIGINT')
      const [code] = await once(child, 'close')
      expect(code, output()).to.equal(0)
      expect((await settings()).webhookUrl).to.equal(previous)
    })

    it('fails with one line for a tenant that does not exist', async () => {
      const unknown = run(service.env, '--port', '0', '--tenant', 'nope')
      expect((await once(unknown.child, 'close'))[0]).to.equal(1)
      expect(unknown.output()).to.match(/^The operator command .* failed: No tenant has the id nope\..*\n$/)
    })
  })

  /** Runs it without a service, until it listens. */
  const listening = (...args: string[]) => listeningWith({}, ...args)

  async function listeningWith(variables: NodeJS.ProcessEnv, ...args: string[]) {
    const env = { ...process.env, DATA_DIR: folder.path, ...variables }
    const { says, printed, output } = run(env, '--port', '0', ...args)
    const [, webhookUrl = ''] = await says(
      /Receiving webhook events at (https:\S+) .*trusts its certificate/s,
    )
    const authorityFile = join(folder.path, 'webhook-receiver-authority.pem')
    return { receiver: { webhookUrl, authorityFile }, says, printed, output }
  }

  function run(env: NodeJS.ProcessEnv, ...args: string[]) {
    const program = ['development/webhook-receiver/receive.ts', ...args]
    const child = spawn(process.execPath, program, { cwd: root, env })
    receivers.push(child)
    let text = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', chunk => {
        text += chunk
      })
    }
    const output = () => stripVTControlCharacters(text)
    const says = async (pattern: RegExp) =>
      pattern.exec(await eventually(output, { until: shown => pattern.test(shown), timeoutMs: 60_000 }))!
    return { child, printed: () => text, output, says }
  }
})
