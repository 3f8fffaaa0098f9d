import { randomBytes, randomUUID } from 'node:crypto'
import type { RequestListener } from 'node:http'
import Koa from 'koa'
import { Agent, request } from 'undici'
import type { StatementPool } from '#domain/database/statement.ts'
import type { TestProvider } from '#domain/ports.ts'
import type { TestOutcome } from '#domain/simulated-session/test-outcome.ts'
import { testPath } from '#domain/tenant/test-tenant.policy.ts'
import { listen } from '../http/listen.ts'
import { toMiddleware } from '../http/to-middleware.ts'
import type { OpenedProvider, ProviderOptions } from '../provider-adapter.ts'
import { openVeriff } from '../veriff/open-veriff.ts'
import { createApiRouter } from './api/api-router.ts'
import { callbackRoute, type HandledCallbacks } from './callback-route.ts'
import { createDatabaseStore } from './database-store.ts'
import { createPageRouter } from './page/page-router.ts'
import type { Outcome } from './session.ts'
import { decideSession, takeDown } from './session-actions.ts'
import { signedHeaders } from './signature.ts'
import { act, changeSession, type Simulator } from './simulator.ts'

export interface SimulatorOptions extends Pick<ProviderOptions, 'clock' | 'traceparent'> {
  pool: StatementPool
  /** Public address of the service, under which the hosted pages are. */
  baseUrl: string
}

export interface OpenedSimulator extends OpenedProvider, TestProvider {
  /** The hosted pages. */
  pages: Koa.Middleware
  /** Handles the simulator's callbacks from now on. Without it all of them are lost. */
  handleCallbacks(handled: HandledCallbacks): void
}

const host = '127.0.0.1'
const pagesPath = `${testPath}/sessions`
const callbackPath = '/verify/callback'
const callbackMsMax = 10_000

/**
 * The identity provider of test tenants: the same client as the real one's, before a simulator of the provider that has a
 * port of this process only, with credentials that nobody else knows. Its sessions are in the database, so that all processes
 * share them.
 */
export async function openSimulator({
  pool,
  baseUrl,
  clock = () => new Date(),
  traceparent,
}: SimulatorOptions): Promise<OpenedSimulator> {
  await using closing = new AsyncDisposableStack()
  const credentials = { apiKey: randomUUID(), sharedSecrets: [randomBytes(32).toString('hex')] }
  let handle: RequestListener = (_request, response) => response.destroy()
  const { port, drain } = await listen((...each) => handle(...each), { host, port: 0, exclusive: true })
  closing.defer(() => drain())
  const privateUrl = `http://${host}:${port}`
  const dispatcher = new Agent()
  closing.defer(() => dispatcher.destroy())

  /** A callback that fails is lost: the decision is polled. */
  const deliver: Simulator['deliver'] = async ({ body }) => {
    const headers = {
      'content-type': 'application/json',
      ...signedHeaders(credentials, Buffer.from(body), 'valid'),
    }
    const signal = AbortSignal.timeout(callbackMsMax)
    const sent = { method: 'POST', headers, body, dispatcher, signal } as const
    await request(privateUrl + callbackPath, sent).then(
      response => response.body.dump(),
      () => undefined,
    )
  }

  const pagesUrl = baseUrl + pagesPath
  const store = createDatabaseStore(pool)
  const simulator: Simulator = { ...credentials, pagesUrl, now: clock, store, deliver }
  const integration = { name: 'veriff', baseUrl: privateUrl, ...credentials } as const
  const provider = openVeriff(integration, { clock, ...(traceparent ? { traceparent } : {}) })
  closing.defer(() => provider.close())
  const api = toMiddleware(createApiRouter(simulator))
  let callbacks: Koa.Middleware = (_, next) => next()
  const app = new Koa()
  app.silent = true
  app.use((ctx, next) => (ctx.path === callbackPath ? callbacks(ctx, next) : api(ctx, next)))
  handle = app.callback()
  const open = closing.move()
  return {
    ...provider,
    pages: toMiddleware(createPageRouter(simulator, pagesPath)),
    handleCallbacks(handled) {
      callbacks = callbackRoute(handled)
    },
    async chooseOutcome(sessionId, { outcome, lostCallback, reasonCode }) {
      const action =
        outcome === 'provider_down' ? takeDown : decideSession({ outcome: outcomes[outcome], reasonCode })
      const apply = lostCallback ? changeSession : act
      return (await apply(simulator, sessionId, action)) !== undefined
    },
    close: () => open.disposeAsync(),
  }
}

const outcomes: Record<Exclude<TestOutcome, 'provider_down'>, Outcome> = {
  adult: 'approve-adult',
  minor: 'approve-minor',
  unknown_age: 'approve-unknown-age',
  denied: 'decline',
  resubmission: 'resubmission',
  in_review: 'review',
  expired: 'expire',
  abandoned: 'abandon',
}
