import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { forTenant } from '#domain/scope.ts'
import { revokeToken } from '#domain/token/revoke-token.ts'
import { type TokenVector, tokenVectors } from '../../clients/test-vectors.ts'
import { useSamples } from '../../documents/samples.ts'
import { eventually } from '../../harness/eventually.ts'
import { describeWith, outcomeOf, type Requirement, runProgram } from '../../harness/system-program.ts'
import { control, tenantClient } from '../../harness/tenant-client.ts'
import { useService, useTenant } from '../../harness/use-service.ts'
import { findPython } from '../clients/python-program.ts'
import { languagePrograms, usePrepared } from './language-programs.ts'

interface Verifier {
  file: string
  requirement: Requirement
  /** Returns the command, which a token follows. */
  prepare(folder: string): Promise<readonly string[]>
}

const python = findPython('jwt')
const pythonCode = 'import sys; from verify_token import is_adult; print(is_adult(sys.argv[1]))'
const nodeCode =
  "import { isAdult } from './verify-token.mjs'; console.log(await isAdult(process.argv.at(-1)))"
const verifiers: Verifier[] = [
  {
    file: 'verify-token.mjs',
    requirement: { isMissing: false, reason: '' },
    prepare: async () => [process.execPath, '--input-type=module', '-e', nodeCode],
  },
  {
    file: 'verify_token.py',
    requirement: { isMissing: !python, reason: 'no python3 with PyJWT' },
    prepare: async () => [python!, '-c', pythonCode],
  },
]

describe('The programs of the documents', () => {
  const service = useService()
  const tenant = useTenant(service)
  const folder = useSamples()
  let tokens: Awaited<ReturnType<typeof issueTokens>>
  before(async () => {
    tokens = await issueTokens()
  })

  it('The sample that waits for a completion returns the result as soon as it is there', async () => {
    const { body } = await tenantClient(service, tenant).start()
    const code = `import { waitForCompletion } from './wait-for-completion.mjs'; console.log(JSON.stringify(await waitForCompletion(process.argv[1])))`
    const options = { cwd: folder(), env: settings() }
    const arguments_ = ['--input-type=module', '-e', code, body.verificationId]
    const waiting = runProgram(process.execPath, arguments_, options)
    await eventually(() => service.waits.count > 0)
    await control(service, body.verificationId, 'open')
    await eventually(() => service.waits.count > 0)
    await control(service, body.verificationId, 'decide', { outcome: 'approve-minor' })
    const result = JSON.parse((await waiting).stdout)
    expect(result).to.include({ verificationId: body.verificationId, status: 'approved', over18: false })
  })

  for (const { file, requirement, prepare } of verifiers) {
    describeWith([requirement], file, () => {
      const command = usePrepared(() => prepare(folder()))

      it('admits the token of an adult, and refuses those of a minor or another tenant, changed and revoked ones', async () => {
        expect(await isAdult(tokens.revoked)).to.equal('false')
        expect(await isAdult(tokens.adult)).to.equal('true')
        expect(await isAdult(tokens.minor)).to.equal('false')
        const changed = tokens.adult.replace(/\.[^.]+$/, `.${'A'.repeat(86)}`)
        expect(await isAdult(changed)).to.equal('exit code 1')
        const ofOther = await isAdult(tokens.adult, { TENANT_ID: '019a0b1c-2d3e-7f40-8a5b-6c7d8e9fa0b0' })
        expect(ofOther).to.equal('exit code 1')
      })

      it('refuses other spellings of a token', async () => {
        const { adult } = tokens
        const [head = '', payload = '', signature = ''] = adult.split('.')
        const spellings = [
          `${adult}\n`,
          `${adult}\r\n`,
          `${adult} `,
          ` ${adult}`,
          `${adult}=`,
          `${adult}==`,
          `${head}. ${payload}.${signature}`,
          `${head}.${payload}.${signature.slice(0, 9)}\t${signature.slice(9)}`,
          `${head}.${payload}.${signature.slice(0, 9)}é${signature.slice(9)}`,
          adult.slice(0, -1) + nextCharacter(adult.at(-1)!),
        ]
        const verdicts = await Promise.all(spellings.map(spelling => isAdult(spelling)))
        expect(verdicts).to.deep.equal(spellings.map(() => 'exit code 1'))
      })

      for (const variable of ['SERVICE_URL', 'TENANT_ID']) {
        it(`admits nobody without ${variable}`, async () => {
          expect(await isAdult(tokens.adult, { [variable]: undefined })).to.equal('exit code 1')
        })
      }

      async function isAdult(token: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
        const options = { cwd: folder(), env: { ...settings(), ...env } }
        const [program, ...args] = [...command(), token]
        const { code, stdout } = await outcomeOf(program!, args, options)
        return code === 0 ? stdout.trim().toLowerCase() : `exit code ${code}`
      }
    })
  }

  for (const { label, requirement, vectors, prepare } of languagePrograms) {
    describeWith([requirement], `The program for ${label}`, () => {
      it('gives each token of the test vectors its verdict', async () => {
        await cp(join('test/system/samples/vectors', vectors), join(folder(), vectors))
        const [program, ...args] = await prepare(folder())
        const running = runProgram(program!, [...args, 'vectors'], { cwd: folder() })
        running.child.stdin!.end(JSON.stringify({ vectors: tokenVectors.map(withResponses) }))
        const verdicts = (await running).stdout.trimEnd().split('\n')
        expect(tokenVectors.map(({ name }, at) => `${name}: ${verdicts[at]}`)).to.deep.equal(
          tokenVectors.map(({ name, reason }) => `${name}: ${verdictOf(reason)}`),
        )
      }).timeout(60_000)
    })
  }

  async function issueTokens() {
    const client = tenantClient(service, tenant)
    const outcomes = ['approve-adult', 'approve-adult', 'approve-minor']
    const ids = await Promise.all(outcomes.map(outcome => client.decided(outcome)))
    const statuses = await Promise.all(ids.map(id => client.status(id)))
    const [revoked, adult, minor] = statuses.map(({ body }): string => body.token)
    await revokeToken(forTenant(service.operator(), tenant.tenantId), { verificationId: ids[0]! })
    return { revoked: revoked!, adult: adult!, minor: minor! }
  }

  /** The environment of the samples. */
  function settings(): Record<string, string> {
    const { PATH = '' } = process.env
    return { PATH, SERVICE_URL: service.baseUrl, API_KEY: tenant.apiKey, TENANT_ID: tenant.tenantId }
  }
})

/** With other bits that the 64 bytes of a signature don't use. */
function nextCharacter(last: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  return alphabet[alphabet.indexOf(last) + 1]!
}

/** As the programs read a vector: what each address returns, and the clock in Unix seconds. */
function withResponses({ token, issuer, audience, now, jwks, statusLists }: TokenVector) {
  const responses = { [`${issuer}/.well-known/jwks.json`]: JSON.stringify(jwks), ...statusLists }
  return { token, issuer, audience, now: Date.parse(now) / 1000, responses }
}

function verdictOf(reason: string): 'true' | 'false' | 'error' {
  if (reason === 'OK') return 'true'
  return ['UNDERAGE_OR_UNKNOWN', 'TOKEN_REVOKED'].includes(reason) ? 'false' : 'error'
}
