import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect } from 'chai'
import { runCommand } from '#development/sandbox/run-command.ts'
import { freePort } from '#server/http/free-port.ts'
import { root } from '#test/harness/processes/service-process.ts'
import { temporaryFolder } from '../../development/temporary-folder.ts'
import { sharedResource } from '../../harness/run/shared-resources.ts'

/** Waits for the event of a verification that it has decided, and prints what it got. */
const receiving = `
import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
const { SERVICE_URL, API_KEY, WEBHOOK_SECRETS, EVENTS_URL = 'none' } = process.env
const server = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  const expected = createHmac('sha256', WEBHOOK_SECRETS).update(body).digest('hex')
  const { status } = JSON.parse(body).data
  response.writeHead(204).end(() => {
    // Another event can be one that the sample has caused.
    if (status !== 'denied') return
    console.log(status, request.headers['x-webhook-signature'] === expected, EVENTS_URL)
    process.exit(7)
  })
}).listen(process.argv[2])
const started = await fetch(SERVICE_URL + '/verify/start', { method: 'POST', headers: { 'x-tenant-api-key': API_KEY } })
const { verificationId } = await started.json()
await fetch(SERVICE_URL + '/test/verifications/' + verificationId + '/outcome', {
  method: 'POST',
  headers: { 'x-tenant-api-key': API_KEY, 'content-type': 'application/json' },
  body: '{"outcome":"denied"}',
})
`

describe('npm run sandbox', function () {
  this.timeout(120_000)
  const folder = temporaryFolder()
  before(() => sharedResource('built'))

  it('runs the sample test of the documents, passes events on, and exits with the exit code of the command', async () => {
    const sample = resolve('docs/samples/age-check.test.mjs')
    const receiver = join(folder.path, 'receiving.mjs')
    await writeFile(receiver, receiving)
    const port = await freePort()
    const commands = `node --test --test-reporter=tap ${sample} && node ${receiver} ${port}`
    const { code, out } = await sandbox('--forward-to', `http://127.0.0.1:${port}`, 'sh', '-c', commands)
    expect(out).to.contain('# pass 1').and.contain('# fail 0')
    expect(out).to.contain('denied true none')
    expect(code).to.equal(7)
  })

  it('does not hide that a command cannot be run or that a signal ended it, and ends one that is stopped', async () => {
    const stopping = new AbortController()
    const { signal } = stopping
    const missing = await runCommand(['no-such-command'], {}, signal).catch((error: Error) => error.message)
    expect(missing).to.match(/^The command no-such-command cannot be run: .*ENOENT$/)
    const killed = ['sh', '-c', 'kill -KILL $$']
    expect(await runCommand(killed, process.env, signal)).to.equal(137)
    const code = runCommand(['sleep', '60'], process.env, signal)
    stopping.abort()
    expect(await code).to.equal(143)
  })
})

async function sandbox(...args: string[]): Promise<{ code: number | null; out: string }> {
  const child = spawn(process.execPath, ['development/sandbox/main.ts', ...args], { cwd: root })
  child.stderr.resume()
  const [out, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  return { code, out }
}
