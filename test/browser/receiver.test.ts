import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import type { TenantScope } from '#domain/scope.ts'
import { sampleEvent } from '#domain/webhook/sample-event.ts'
import { signEvent } from '#domain/webhook/signature.policy.ts'
import { freePort } from '#server/http/free-port.ts'
import { nodeReceiver } from '../../dashboard/src/settings/webhook/receiver/node-receiver.ts'
import { curlCommand } from '../../dashboard/src/settings/webhook/sample-request.ts'

/** As the URL parser encodes it. */
const path = new URL('https://a.example/age "events"').pathname
const tenantId = '01a1faec-686b-7315-9fb3-9d3714ae0296'
const sample = sampleEvent({ actor: { tenantId } } as TenantScope)
const event = (verificationId: string) =>
  JSON.stringify({ tenantId, data: { verificationId, status: 'approved', confidence: 0.9 } })

describe('the sample receiver of the dashboard', () => {
  let folder: string
  let receiver: ChildProcess
  let url: string
  let port: number
  let output = ''
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'receiver-'))
    await writeFile(join(folder, 'receiver.mjs'), nodeReceiver({ tenantId, path }))
    port = await freePort()
    url = `http://127.0.0.1:${port}${path}`
    const env = { PORT: String(port), WEBHOOK_SECRETS: `whsec_new,whsec_old,${sample.secret}` }
    receiver = spawn(process.execPath, [join(folder, 'receiver.mjs')], { env })
    receiver.stdout?.setEncoding('utf8').on('data', text => {
      output += text
    })
    await listening(port)
  })
  after(async () => {
    receiver.kill()
    await once(receiver, 'close')
    await rm(folder, { recursive: true })
  })

  it('accepts events signed with either secret and processes each verification once', async () => {
    expect((await post(event('a'), 'whsec_new')).status).to.equal(204)
    expect((await post(event('b'), 'whsec_old')).status).to.equal(204)
    expect((await post(event('a'), 'whsec_new')).status).to.equal(204)
    expect(output.trim().split('\n')).to.deep.equal(['a approved 0.9', 'b approved 0.9'])
  })

  it('accepts the sample event from the curl command that the dashboard shows', async () => {
    const command = curlCommand({ webhookUrl: `https://a.example${path}`, ...sample }, port)
    const { stdout } = await promisify(execFile)('sh', ['-c', command])
    expect(stdout).to.match(/^HTTP\/1\.1 204 /)
    expect(output).to.contain(`${JSON.parse(sample.body).data.verificationId} approved 0.98`)
  })

  it('returns 401 for an invalid signature', async () => {
    expect((await post(event('c'), 'whsec_other')).status).to.equal(401)
    expect(output).not.to.contain('c approved')
  })

  function post(body: string, secret: string): Promise<Response> {
    return fetch(url, { method: 'POST', body, headers: { 'x-webhook-signature': signEvent(body, secret) } })
  }
})

async function listening(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, '127.0.0.1')
    const isOpen = await new Promise(resolve => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    })
    socket.destroy()
    if (isOpen) return
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}
