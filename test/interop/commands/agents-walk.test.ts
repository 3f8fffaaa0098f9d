import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { expect } from 'chai'
import { freePort } from '#server/http/free-port.ts'
import { root } from '#test/harness/processes/service-process.ts'
import { temporaryFolder } from '../../development/temporary-folder.ts'
import { eventually } from '../../harness/eventually.ts'
import { sharedResource } from '../../harness/run/shared-resources.ts'
import { describeWith, findProgram, runProgram } from '../../harness/system-program.ts'
import { runSample } from '../samples/run-sample.ts'

/** Prints its environment, and ends with its input. */
const printEnvironment = 'console.log(JSON.stringify(process.env)); process.stdin.resume()'

const programs = ['bash', 'curl', 'jq'].map(name => ({
  isMissing: findProgram(name) === undefined,
  reason: `no ${name} on the PATH`,
}))

describeWith(programs, 'A coding agent that knows /llms.txt only', function () {
  this.timeout(120_000)
  const folder = temporaryFolder()
  before(() => sharedResource('built'))

  it('follows links to a receiver that accepts a signed event and refuses a forged one, and to a start', async () => {
    const port = String(await freePort())
    const url = `http://127.0.0.1:${port}/`
    await withSandbox(url, async env => {
      const index = await read(`${env.SERVICE_URL}/llms.txt`)
      const quickStart = await read(linkTo('Quick start', index))
      const webhooks = await read(linkTo('Webhooks', quickStart))
      const file = join(folder.path, 'receiver.mjs')
      await writeFile(file, codeBlock('js receiver.mjs', webhooks))
      const receiver = runSample([process.execPath, file], { ...env, PORT: port })
      try {
        await eventually(() => fetch(url).then(() => true))
        const [start = '', complete = ''] = commandsOf(quickStart)
        const script = `set -eu\n${start}\n${complete}\nprintf '\\n%s' "$ID"`
        const { stdout } = await runProgram(findProgram('bash')!, ['-c', script], { env, cwd: folder.path })
        const verificationId = stdout.trim().split('\n').at(-1)!
        await eventually(() => receiver.output().includes(`${verificationId} admit`))

        const forged = { event: 'verification.completed', data: { verificationId: 'forged' } }
        const headers = { 'x-webhook-signature': 'ab'.repeat(32) }
        const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(forged) })
        expect(response.status).to.equal(401)
        expect(receiver.output()).not.to.contain('forged')
      } finally {
        await receiver.stop()
      }
    })
  })
})

/** Runs a service for tests that passes its events on to a URL, and `use` with the variables that it gives to a test. */
async function withSandbox(url: string, use: (env: Record<string, string>) => Promise<void>): Promise<void> {
  const args = ['--forward-to', url, process.execPath, '-e', printEnvironment]
  const sandbox = spawn(process.execPath, ['development/sandbox/main.ts', ...args], { cwd: root })
  sandbox.stderr.resume()
  const ended = once(sandbox, 'exit')
  try {
    for await (const line of createInterface(sandbox.stdout)) {
      if (!line.startsWith('{')) continue
      await use(JSON.parse(line))
      break
    }
  } finally {
    sandbox.stdin.end()
    await ended
  }
}

async function read(url: string): Promise<string> {
  const response = await fetch(url)
  expect([response.status, response.headers.get('content-type')?.split(';')[0]], url).to.be.deep.oneOf([
    [200, 'text/plain'],
    [200, 'text/markdown'],
  ])
  return await response.text()
}

/** The target of the first link with this text. */
function linkTo(title: string, markdown: string): string {
  const [, url] = markdown.match(new RegExp(`\\[${title}\\]\\((\\S+)\\)`)) ?? []
  expect(url, title).to.match(/^http/)
  return url!
}

function codeBlock(info: string, markdown: string): string {
  return markdown.split(`\`\`\`${info}\n`)[1]!.split('\n```')[0]!
}

function commandsOf(markdown: string): string[] {
  return [...markdown.matchAll(/^```sh run\n(.*?)^```$/gms)].map(([, code]) => code!)
}
