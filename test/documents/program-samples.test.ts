import { execFile, execFileSync } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { forTenant } from '#domain/scope.ts'
import { revokeToken } from '#domain/token/revoke-token.ts'
import { eventually } from '../harness/eventually.ts'
import { describeWith, findProgram } from '../harness/system-program.ts'
import { control, tenantClient } from '../harness/tenant-client.ts'
import { useService, useTenant } from '../harness/use-service.ts'
import { sampleFile } from './samples.ts'
import { useReceiver } from './use-receiver.ts'

const python = findProgram('python3')
const pythonWithJwt = ['/usr/bin/python3', python].find(program => program && hasModule(program, 'jwt'))

const receivers = [
  { title: 'Node receiver', program: process.execPath as string | undefined, file: 'receiver.mjs' },
  { title: 'Python receiver', program: python, file: 'receiver.py' },
]
const verifiers = [
  {
    title: 'Node sample',
    program: process.execPath as string | undefined,
    file: 'verify-token.mjs',
    call: nodeCall,
  },
  { title: 'Python sample', program: pythonWithJwt, file: 'verify_token.py', call: pythonCall },
]

describe('The programs of the documents', () => {
  const service = useService()
  const tenant = useTenant(service)
  let folder: string
  let tokens: ReturnType<typeof issueTokens> | undefined
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'programs-'))
    await symlink(resolve('node_modules'), join(folder, 'node_modules'))
  })
  after(() => rm(folder, { recursive: true }))

  for (const { title, program, file } of receivers) {
    const requirement = { isMissing: !program, reason: 'no python3 on the PATH' }
    describeWith([requirement], title, () => {
      const { post, printed } = useReceiver(async () => {
        await writeFile(join(folder, file), sampleFile('docs/webhooks.md', file))
        const env = { ...settings(), WEBHOOK_SECRETS: 'whsec_new,whsec_old' }
        return { program: program!, file, folder, env }
      })

      it('admits an adult and refuses an approved minor', async () => {
        const [adult, minor] = [await decided('approve-adult'), await decided('approve-minor')]
        expect(await post(event(adult), 'whsec_new')).to.equal(204)
        expect(await post(event(minor), 'whsec_old')).to.equal(204)
        expect(await printed(2)).to.have.members([`${adult} approved admit`, `${minor} approved refuse`])
      })

      it('processes a duplicate once, ignores a replayed event, and rejects wrong signatures', async () => {
        const [first, old, forged, last] = await Promise.all([
          decided('approve-adult'),
          decided('approve-adult'),
          decided('approve-adult'),
          decided('decline'),
        ])
        const aDayAgo = new Date(Date.now() - 24 * 60 * 60_000 - 1_000)
        expect(await post(event(first), 'whsec_new')).to.equal(204)
        expect(await post(event(first), 'whsec_old')).to.equal(204)
        expect(await post(event(old, aDayAgo), 'whsec_new')).to.equal(204)
        for (const signature of [undefined, '', 'zz', 'é'.repeat(32)]) {
          expect(await post(event(forged), 'whsec_other', signature)).to.equal(401)
        }
        expect(await post(event(last), 'whsec_new')).to.equal(204)
        expect(await printed(2)).to.have.members([`${first} approved admit`, `${last} denied refuse`])
      })
    })
  }

  it('The sample that waits for a completion returns the result as soon as it is there', async () => {
    const file = 'wait-for-completion.mjs'
    await writeFile(join(folder, file), sampleFile('docs/life-cycle.md', file))
    const { body } = await tenantClient(service, tenant).start()
    const code = `import { waitForCompletion } from './${file}'; console.log(JSON.stringify(await waitForCompletion(process.argv[1])))`
    const options = { cwd: folder, env: settings() }
    const arguments_ = ['--input-type=module', '-e', code, body.verificationId]
    const waiting = promisify(execFile)(process.execPath, arguments_, options)
    await eventually(() => !service.statusWaits.isEmpty)
    await control(service, body.verificationId, 'open')
    await eventually(() => !service.statusWaits.isEmpty)
    await control(service, body.verificationId, 'decide', { outcome: 'approve-minor' })
    const result = JSON.parse((await waiting).stdout)
    expect(result).to.include({ verificationId: body.verificationId, status: 'approved', over18: false })
  })

  for (const { title, program, file, call } of verifiers) {
    describeWith([{ isMissing: !program, reason: 'no python3 with PyJWT' }], title, () => {
      it('admits the token of an adult, and refuses those of a minor or another tenant, changed and revoked ones', async () => {
        await writeFile(join(folder, file), sampleFile('docs/tokens.md', file))
        const { adult, minor, revoked } = await issued()
        expect(await isAdult(revoked)).to.equal('false')
        expect(await isAdult(adult)).to.equal('true')
        expect(await isAdult(minor)).to.equal('false')
        await expectFailure(isAdult(adult.replace(/\.[^.]+$/, `.${'A'.repeat(86)}`)))
        await expectFailure(isAdult(adult, { TENANT_ID: '019a0b1c-2d3e-7f40-8a5b-6c7d8e9fa0b0' }))
      })

      async function isAdult(token: string, env: Record<string, string> = {}): Promise<string> {
        const options = { cwd: folder, env: { ...settings(), ...env } }
        const { stdout } = await promisify(execFile)(program!, call(token), options)
        return stdout.trim().toLowerCase()
      }
    })
  }

  function decided(outcome: string): Promise<string> {
    return tenantClient(service, tenant).decided(outcome)
  }

  async function tokenOf(verificationId: string): Promise<string> {
    return (await tenantClient(service, tenant).status(verificationId)).body.token
  }

  /** The same tokens for each sample, because the service can keep a status list for 5 seconds. */
  function issued() {
    tokens ??= issueTokens()
    return tokens
  }

  async function issueTokens() {
    const revocable = await decided('approve-adult')
    const revoked = await tokenOf(revocable)
    await revokeToken(forTenant(service.operator(), tenant.tenantId), { verificationId: revocable })
    const [adult, minor] = [await decided('approve-adult'), await decided('approve-minor')]
    return { revoked, adult: await tokenOf(adult), minor: await tokenOf(minor) }
  }

  /** The environment of the samples. */
  function settings(): Record<string, string> {
    const { PATH = '' } = process.env
    return { PATH, SERVICE_URL: service.baseUrl, API_KEY: tenant.apiKey, TENANT_ID: tenant.tenantId }
  }

  function event(verificationId: string, at = new Date()): string {
    const data = { verificationId, status: 'approved', confidence: 1, provider: 'veriff' }
    return JSON.stringify({
      event: 'verification.completed',
      tenantId: tenant.tenantId,
      data,
      timestamp: at.toISOString(),
    })
  }
})

function nodeCall(token: string): string[] {
  const code = "import { isAdult } from './verify-token.mjs'; console.log(await isAdult(process.argv.at(-1)))"
  return ['--input-type=module', '-e', code, token]
}

function pythonCall(token: string): string[] {
  return ['-c', 'import sys; from verify_token import is_adult; print(is_adult(sys.argv[1]))', token]
}

function hasModule(program: string, name: string): boolean {
  try {
    execFileSync(program, ['-c', `import ${name}`], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

async function expectFailure(attempt: Promise<unknown>): Promise<void> {
  const failure = await attempt.then(
    value => `accepted: ${value}`,
    (error: { code?: unknown }) => error.code,
  )
  expect(failure).to.equal(1)
}
