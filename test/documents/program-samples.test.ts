import { execFile, execFileSync } from 'node:child_process'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { forTenant } from '#domain/scope.ts'
import { revokeToken } from '#domain/token/revoke-token.ts'
import { eventually } from '../harness/eventually.ts'
import { describeWith, findProgram } from '../harness/system-program.ts'
import { control, tenantClient } from '../harness/tenant-client.ts'
import { useService, useTenant } from '../harness/use-service.ts'
import { useSamples } from './samples.ts'

const python = findProgram('python3')
const pythonWithJwt = ['/usr/bin/python3', python].find(program => program && hasModule(program, 'jwt'))

const verifiers = [
  { file: 'verify-token.mjs', program: process.execPath, call: nodeCall },
  { file: 'verify_token.py', program: pythonWithJwt, call: pythonCall },
]

describe('The programs of the documents', () => {
  const service = useService()
  const tenant = useTenant(service)
  const folder = useSamples()
  let tokens: ReturnType<typeof issueTokens> | undefined

  it('The sample that waits for a completion returns the result as soon as it is there', async () => {
    const { body } = await tenantClient(service, tenant).start()
    const code = `import { waitForCompletion } from './wait-for-completion.mjs'; console.log(JSON.stringify(await waitForCompletion(process.argv[1])))`
    const options = { cwd: folder(), env: settings() }
    const arguments_ = ['--input-type=module', '-e', code, body.verificationId]
    const waiting = promisify(execFile)(process.execPath, arguments_, options)
    await eventually(() => !service.statusWaits.isEmpty)
    await control(service, body.verificationId, 'open')
    await eventually(() => !service.statusWaits.isEmpty)
    await control(service, body.verificationId, 'decide', { outcome: 'approve-minor' })
    const result = JSON.parse((await waiting).stdout)
    expect(result).to.include({ verificationId: body.verificationId, status: 'approved', over18: false })
  })

  for (const { file, program, call } of verifiers) {
    describeWith([{ isMissing: !program, reason: 'no python3 with PyJWT' }], file, () => {
      it('admits the token of an adult, and refuses those of a minor or another tenant, changed and revoked ones', async () => {
        const { adult, minor, revoked } = await issued()
        expect(await isAdult(revoked)).to.equal('false')
        expect(await isAdult(adult)).to.equal('true')
        expect(await isAdult(minor)).to.equal('false')
        await expectFailure(isAdult(adult.replace(/\.[^.]+$/, `.${'A'.repeat(86)}`)))
        await expectFailure(isAdult(adult, { TENANT_ID: '019a0b1c-2d3e-7f40-8a5b-6c7d8e9fa0b0' }))
      })

      async function isAdult(token: string, env: Record<string, string> = {}): Promise<string> {
        const options = { cwd: folder(), env: { ...settings(), ...env } }
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
