import { setTimeout as delay } from 'node:timers/promises'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { AgeVerificationClient, verifyWebhook } from '#clients/typescript/src/index.ts'
import { TokenVerifier } from '#clients/typescript/src/offline/token-verifier.ts'
import { type LocalService, readReceivedEvents } from '../local-service.ts'
import { ProgramError } from '../run-program.ts'
import { printingFetch, type Screen } from './screen.ts'

/** What the user does on the hosted page, and the verification's status after it. */
interface Visit {
  path: string
  init: RequestInit
  expected: string
}

const attempts = [
  {
    title: 'The user takes pictures on the hosted page, and the provider needs better ones',
    about:
      'For a test tenant, the service has a simulator of the identity provider. It reports every\nstep in a signed callback before the page responds.',
    visits: submitted('resubmission', 'resubmission'),
  },
  {
    title: 'The tenant’s backend sends the user to the same page again',
    about:
      'No event announces a resubmission: the backend sees the status. It has stored the sessionUrl,\nwhich only the start returns.',
    visits: submitted('approve-adult', 'approved'),
  },
]

/** The user opens the page and submits, and the provider decides. */
function submitted(outcome: string, expected: string): Visit[] {
  return [
    { path: '', init: {}, expected: 'started' },
    { path: '/submit', init: { method: 'POST' }, expected: 'submitted' },
    { path: '/decide', init: { method: 'POST', body: `outcome=${outcome}` }, expected },
  ]
}

/** Runs all steps in order. Throws at the first unexpected result: a `ProgramError`, or an error of the client. */
export async function runSteps(
  service: LocalService,
  screen: Screen,
  closing: AsyncDisposableStack,
): Promise<void> {
  const { baseUrl } = service
  const show = printingFetch(screen)
  const { tenantId, apiKey, webhookSecret } = await createTenant(service, screen, closing)
  const client = new AgeVerificationClient({ baseUrl, apiKey, fetch: show })

  screen.step(
    'The tenant’s backend starts a verification',
    'It sends the user agent and IP address of its user, stores verificationId and sessionUrl,\nand redirects the user to sessionUrl.',
  )
  const user = { userAgent: 'Mozilla/5.0 (demo)', ip: '203.0.113.7' }
  const { verificationId, sessionUrl } = await client.start(user)

  const silent = new AgeVerificationClient({ baseUrl, apiKey })
  async function visit({ path, init, expected }: Visit): Promise<void> {
    await show(sessionUrl + path, { ...init, redirect: 'manual' })
    const { status } = await silent.status(verificationId)
    expect(status === expected, `The verification’s status is ${status}, expected ${expected}.`)
    screen.passed(`GET /verify/status returns the status ${expected}.`)
  }
  for (const { title, about, visits } of attempts) {
    screen.step(title, about)
    for (const next of visits) await visit(next)
  }

  screen.step('The tenant’s backend reads the result', 'By polling, for backends without a webhook.')
  const { over18, token } = await client.status(verificationId)
  expect(over18 === true && token !== undefined, 'The verification has no token, or over18 is not true.')
  screen.passed('The verification is approved, with a signed age token.')

  await receiveEvent(service, screen, { verificationId, webhookSecret })

  screen.step('Claims of the token', 'Anyone can decode it, so it contains no personal data.')
  screen.message('bold', 'Decoded', {}, { ...decodeProtectedHeader(token), ...decodeJwt(token) })

  screen.step(
    'Verify the token offline',
    'With the published keys, in any JWT library. Revoked tokens are in their status list, which may be five minutes old.',
  )
  const verifier = new TokenVerifier({ issuer: `${baseUrl}/test`, fetch: show })
  const { reason: offline, claims } = await verifier.verify(token, { audience: tenantId })
  expect(claims?.sub === verificationId, `The token cannot be verified with the published keys: ${offline}.`)
  screen.passed('Signature, issuer, audience and expiry are valid, and it is not revoked.')
  const changed = await verifier.verify(withChangedExpiry(token), { audience: tenantId })
  expect(changed.reason === 'SIGNATURE_INVALID', 'A token with a changed claim was not rejected.')
  screen.passed('The same token with a changed claim is rejected.')

  screen.step('Validate the token online', 'The service also checks for revocation.')
  const { reason } = await client.validateToken(token)
  expect(reason === 'OK', `The token is not valid: ${reason}.`)

  screen.step(
    'Revoke the token',
    'The operator revokes it here; members of the tenant can do so in the dashboard.',
  )
  await operate(service, screen, 'token', 'revoke', '--verification', verificationId)
  const revoked = await client.validateToken(token)
  expect(revoked.reason === 'TOKEN_REVOKED', `The revoked token was not rejected: ${revoked.reason}.`)
  screen.passed('The token is rejected immediately.')
}

/** Creates a tenant, its API key and its webhook. Disables the tenant at the end if the service keeps running. */
async function createTenant(service: LocalService, screen: Screen, closing: AsyncDisposableStack) {
  screen.step(
    'Create a tenant, its API key and its webhook',
    'The service’s operator does this on the command line. Members of a tenant can also\ncreate keys and set the webhook in the dashboard.',
  )
  const name = `Demo of ${new Date().toISOString().slice(0, 19)}`
  const { tenantId = '' } = await operate(service, screen, 'tenant', 'create', '--name', name, '--test')
  const ofTenant = ['--tenant', tenantId]
  if (!service.isTemporary) {
    closing.defer(async () => {
      await service.operate('tenant', 'disable', ...ofTenant)
      screen.note(`The demo’s tenant ${tenantId} was disabled.`)
    })
  }
  const { apiKey = '' } = await operate(service, screen, 'key', 'create', ...ofTenant)
  const setWebhook = ['tenant', 'set-webhook', ...ofTenant, '--url', service.webhookUrl]
  const { webhookSecret = '' } = await operate(service, screen, ...setWebhook)
  return { tenantId, apiKey, webhookSecret }
}

/** Runs an operator command, and prints it with its result. */
async function operate(
  service: LocalService,
  screen: Screen,
  ...args: string[]
): Promise<Record<string, string>> {
  const result = await service.operate<Record<string, string>>(...args)
  const command = args.map(arg => (arg.includes(' ') ? `"${arg}"` : arg)).join(' ')
  screen.message('bold', `$ npm run --silent operator -- ${command} --json`, {}, result)
  return result
}

const eventMsMax = 30_000

/** Prints the event that the local receiver has, and verifies its signature. */
async function receiveEvent(
  { eventsUrl }: LocalService,
  screen: Screen,
  expected: { verificationId: string; webhookSecret: string },
): Promise<void> {
  screen.step(
    'The tenant’s webhook receiver gets a signed event',
    'Sent when the verification is completed, and retried unless the receiver responds with 2xx\nwithin 5 seconds: three attempts at most.',
  )
  const deadline = performance.now() + eventMsMax
  for (;;) {
    const events = await readReceivedEvents(eventsUrl)
    const event = events.find(({ body }) => body?.data?.verificationId === expected.verificationId)
    if (event) {
      screen.message('bold', '→ POST to the webhook URL', event.headers, event.body)
      const { data } = await verifyWebhook(event.raw, event.headers, expected.webhookSecret)
      expect(data.status === 'approved', `The event’s status is ${data.status}, expected approved.`)
      screen.passed('X-Webhook-Signature equals HMAC-SHA256(raw body, webhookSecret).')
      return screen.note(`All received events: ${eventsUrl}`)
    }
    expect(performance.now() < deadline, `No webhook event was received within ${eventMsMax / 1000} s.`)
    await delay(100)
  }
}

/** Keeps the signature. */
function withChangedExpiry(token: string): string {
  const [header, , signature] = token.split('.')
  const changed = JSON.stringify({ ...decodeJwt(token), exp: 4_102_444_800 })
  return [header, Buffer.from(changed).toString('base64url'), signature].join('.')
}

function expect(condition: boolean, message: string): asserts condition {
  if (!condition) throw new ProgramError(message)
}
