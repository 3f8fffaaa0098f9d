import { spawnSync } from 'node:child_process'
import { cp } from 'node:fs/promises'
import { expect } from 'chai'
import { forTenant } from '#domain/scope.ts'
import { revokeToken } from '#domain/token/revoke-token.ts'
import { completedEvent } from '#domain/webhook/completed-event.ts'
import { signEvent } from '#domain/webhook/signature.policy.ts'
import { tokenVectors } from '../../clients/test-vectors.ts'
import { useSamples } from '../../documents/samples.ts'
import { eventually } from '../../harness/eventually.ts'
import { describeWith, findPython, outcomeOf, runProgram } from '../../harness/system-program.ts'
import { control, tenantClient } from '../../harness/tenant-client.ts'
import { useService, useTenant } from '../../harness/use-service.ts'
import { startReceiver } from './run-sample.ts'

/** Shell commands: `check` fails where something is not installed; a subcommand and its argument follow `program`. */
type Language = Record<'check' | 'program' | 'vectors', string> & { receive?: string }
type Issued = Record<'verificationId' | 'token', string>

const [node, python] = [process.execPath, findPython('jwt') ?? 'python3']
const nodeCode = 'import { isAdult } from "./verify-token.mjs"; console.log(await isAdult(process.argv[2]))'
const inNode = `${node} --input-type=module -e '${nodeCode}'`
const inPython = `${python} -c 'import sys, verify_token as it; print(str(it.is_adult(sys.argv[2])).lower())'`
const phpJob = 'while sleep 1 && kill -0 $$; do php age_verification.php decide; done'
const languages: Record<string, Language> = {
  Go: {
    check: 'go version',
    program: 'go run age_verification.go',
    receive: 'go build -o receiver age_verification.go && exec ./receiver receive',
    vectors: 'go run age_verification.go vectors.go vectors',
  },
  PHP: {
    check: "php -r 'curl_version();'",
    program: 'php age_verification.php',
    receive: `mkdir inbox; (${phpJob}) & exec php -S 127.0.0.1:$PORT age_verification.php`,
    vectors: 'php vectors.php',
  },
  Ruby: {
    check: 'ruby -rpuma -e 0',
    program: 'ruby age_verification.rb',
    receive: 'exec ruby age_verification.rb receive',
    vectors: 'ruby vectors.rb',
  },
  Java: {
    check: 'javac -version',
    program: 'java -XX:TieredStopAtLevel=1 AgeVerification.java', // Starts in half the time.
    receive: 'exec java AgeVerification.java receive',
    vectors: 'javac -d classes -Xlint:all,-serial -Werror *.java && java -cp classes Vectors',
  },
  JavaScript: { check: `${node} -v`, program: inNode, vectors: `${node} vectors.mjs` },
  Python: { check: `${python} -c 'import jwt'`, program: inPython, vectors: `${python} vectors.py` },
}
const secret = 'whsec_of-the-tenant'
const verdicts: Record<string, string> = { OK: 'true', UNDERAGE_OR_UNKNOWN: 'false', TOKEN_REVOKED: 'false' }

describe('The program of the documents', () => {
  const service = useService()
  const tenant = useTenant(service)
  const folder = useSamples()
  let adult: Issued
  let minor: Issued
  let revoked: Issued
  before('issue tokens, and copy what runs the test vectors', async () => {
    const { decided, status } = tenantClient(service, tenant)
    const outcomes = ['approve-adult', 'approve-minor', 'approve-adult']
    const statuses = await Promise.all(outcomes.map(async outcome => status(await decided(outcome))))
    ;[adult, minor, revoked] = statuses.map(({ body }) => body)
    await revokeToken(forTenant(service.operator(), tenant.tenantId), revoked)
    await cp('test/system/samples/vectors', folder(), { recursive: true })
  })

  for (const [name, { check, program, receive, vectors }] of Object.entries(languages)) {
    const isMissing = spawnSync('sh', ['-c', check]).status !== 0
    describeWith([{ isMissing, reason: `${check} fails` }], `in ${name}`, () => {
      it('gives each token of the test vectors its verdict', async () => {
        const running = runProgram('sh', ['-c', vectors], options())
        const input = tokenVectors.map(({ token, issuer, audience, now, jwks, statusLists }) => {
          const responses = { [`${issuer}/.well-known/jwks.json`]: JSON.stringify(jwks), ...statusLists }
          return { token, issuer, audience, now: Date.parse(now) / 1000, responses }
        })
        running.child.stdin!.end(JSON.stringify({ vectors: input }))
        const lines = (await running).stdout.split('\n')
        expect(tokenVectors.map((vector, at) => `${vector.name}: ${lines[at]}`)).to.deep.equal(
          tokenVectors.map(vector => `${vector.name}: ${verdicts[vector.reason] ?? 'error'}`),
        )
      })

      it('verifies tokens of the service offline, of its own tenant only', async () => {
        expect(await runEach('verify')).to.deep.equal(['true', 'false', 'false'])
        for (const env of [{ TENANT_ID: 'another' }, { TENANT_ID: undefined }, { SERVICE_URL: undefined }])
          expect(await run(`verify ${adult.token}`, env)).to.equal('exit code 1')
      })

      if (!receive) return

      it('starts a verification, waits for its result, and validates tokens', async () => {
        const [id = '', sessionUrl] = (await run('start')).split(' ')
        expect(sessionUrl).to.contain(`${service.veriffUrl}/v/`)
        const waiting = run(`wait ${id}`)
        await eventually(() => service.waits.count > 0)
        await control(service, id, 'decide', { outcome: 'approve-adult' })
        expect(await waiting).to.match(/^approved true eyJ[\w.-]+$/)
        const reasons = ['true OK', 'false UNDERAGE_OR_UNKNOWN', 'false TOKEN_REVOKED']
        expect(await runEach('validate')).to.deep.equal(reasons)
      })

      it('decides by over18 after an event, but after none that is changed, forged or old', async () => {
        await using closing = new AsyncDisposableStack()
        const receiver = await startReceiver(['sh', '-c', receive], options().env, folder())
        closing.defer(() => receiver.stop())
        const send = async (body: string, signature = signEvent(body, secret), inChunks = false) => {
          const init = { method: 'POST', headers: { 'x-webhook-signature': signature }, duplex: 'half' }
          const sent = inChunks ? new Blob([body]).stream() : body
          return (await fetch(receiver.url, { ...init, body: sent } as RequestInit)).status
        }
        const event = eventOf(revoked)
        expect(await send(event.replace('approved', 'denied'), signEvent(event, secret))).to.equal(401)
        for (const body of [event, '{}', ''])
          expect(await send(body, signEvent(body, 'whsec_another')), body).to.equal(401)
        expect(await send(eventOf(revoked, new Date(Date.now() - 25 * 3_600_000)))).to.equal(204)
        for (const each of [minor, adult]) {
          expect(await send(eventOf(each), undefined, each === adult)).to.equal(204)
          await eventually(() => receiver.output().includes(each.verificationId))
        }
        const decisions = receiver.output().match(/[\da-f-]{36} (admit|refuse)/g)
        expect(decisions).to.deep.equal([`${minor.verificationId} refuse`, `${adult.verificationId} admit`])
      })

      async function run(subcommand: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
        const { code, stdout } = await outcomeOf('sh', ['-c', `${program} ${subcommand}`], options(env))
        return code === 0 ? stdout.trim() : `exit code ${code}`
      }

      function runEach(subcommand: string): Promise<string[]> {
        return Promise.all([adult, minor, revoked].map(({ token }) => run(`${subcommand} ${token}`)))
      }
    })
  }

  function eventOf({ verificationId }: Issued, at = new Date()): string {
    const result = { verificationId, status: 'approved', confidence: 1, provider: 'veriff' } as const
    return completedEvent({ tenantId: tenant.tenantId, ...result }, at)
  }

  function options(env: NodeJS.ProcessEnv = {}) {
    const { PATH = '', HOME = '' } = process.env
    const settings = { SERVICE_URL: service.baseUrl, API_KEY: tenant.apiKey, TENANT_ID: tenant.tenantId }
    const ofReceivers = { WEBHOOK_SECRETS: secret, INBOX: 'inbox' }
    return { cwd: folder(), env: { PATH, HOME, ...settings, ...ofReceivers, ...env } }
  }
})
