import { createServer } from 'node:http'
import Koa, { type Context, type Next } from 'koa'
import { Agent } from 'undici'
import { loopback } from '../embedded-context.ts'
import { acceptLocalRequests, type LocalServerOptions, listenLocally } from '../local-requests.ts'
import { sendMessage, sendStyle } from '../page.ts'
import { createApiRouter } from './api/router.ts'
import { createControlRouter } from './control/router.ts'
import { createPageRouter } from './page/router.ts'
import { frame } from './page/session-page.ts'
import { endOldSessions } from './session-actions.ts'
import { SessionStore } from './session-store.ts'
import type { Simulator } from './simulator.ts'
import { Outbox } from './webhook/outbox.ts'

export interface VeriffSimulatorOptions extends LocalServerOptions {
  /** The integration's API key, a UUID as at the real provider. */
  apiKey: string
  /** The first one signs; requests signed with any of them are accepted. */
  sharedSecrets: string[]
  /** Receives all webhooks; the real provider takes it from the integration's settings. */
  webhookUrl: string
  /** SQLite file for sessions and undelivered webhooks; without it they are lost when the process ends. */
  dataFile?: string
  /** Seconds before each retry of a webhook; the last one repeats. */
  retryDelaysSeconds?: number[]
  /** Time limit for a response to a webhook; 5 by default, as at the real provider. */
  webhookTimeoutSeconds?: number
  now?: () => Date
  /** Called with one line per webhook attempt; never contains a body, a token or a secret. */
  log?: (line: string) => void
}

/** The real provider retries hourly; here a restarted service gets missed webhooks within seconds. */
const defaultRetryDelaysSeconds = [1, 2, 5, 10, 30, 60, 3600]

/**
 * Starts the local simulator of the identity provider: its API under `/v1`, the hosted page under `/v`, and
 * `/control` for scripts. Only local requests are accepted. Throws if the port is taken or the data file cannot be used.
 */
export async function startVeriffSimulator(
  options: VeriffSimulatorOptions,
): Promise<{ baseUrl: string; close(): Promise<void> }> {
  const { log = () => {} } = options
  const closing = new AsyncDisposableStack()
  try {
    const store = new SessionStore(options.dataFile)
    closing.defer(() => store.close())
    const dispatcher = new Agent()
    closing.defer(() => dispatcher.destroy())
    const server = createServer()
    const { port, close } = await listenLocally('The Veriff simulator', server, options.port)
    const baseUrl = `http://${loopback}:${port}`
    const simulator = createSimulator(options, { baseUrl, store, dispatcher })
    closing.defer(() => simulator.outbox.close())
    closing.defer(close)
    server.on('request', acceptLocalRequests(createApp(simulator, log).callback(), options))
    simulator.outbox.resume()
    const end = () => endOldSessions(simulator).catch(error => log(`ending old sessions failed: ${error}`))
    const timer = setInterval(end, 60_000)
    closing.defer(() => clearInterval(timer))
    void end()
    const open = closing.move()
    return { baseUrl, close: () => open.disposeAsync() }
  } catch (error) {
    await closing.disposeAsync()
    throw error
  }
}

function createSimulator(
  options: VeriffSimulatorOptions,
  { baseUrl, store, dispatcher }: { baseUrl: string; store: SessionStore; dispatcher: Agent },
): Simulator {
  const { apiKey, sharedSecrets, webhookUrl: url, log = () => {}, now = () => new Date() } = options
  const { retryDelaysSeconds = defaultRetryDelaysSeconds, webhookTimeoutSeconds: timeoutSeconds = 5 } =
    options
  const [secret] = sharedSecrets
  if (secret === undefined) throw new Error('At least one shared secret is required.')
  const target = { url, apiKey, secret, timeoutSeconds, dispatcher }
  const outbox = new Outbox({ store, target, now, retryDelaysSeconds, log })
  const modes = { createSession: 'ok', decision: 'ok', deleteSession: 'ok' } as const
  return { baseUrl, apiKey, secret, sharedSecrets, now, store, outbox, modes }
}

function createApp(simulator: Simulator, log: (line: string) => void): Koa {
  const app = new Koa()
  app.on('error', (error: Error) => log(`request failed: ${error.message}`))
  app.use(handleErrors)
  app.use(createApiRouter(simulator).routes())
  app.use(createPageRouter(simulator).routes())
  app.use(createControlRouter(simulator).routes())
  app.use((ctx, next) => (ctx.path === '/page.css' ? sendStyle(ctx) : next()))
  return app
}

/** A page for people, JSON for programs. */
async function handleErrors(ctx: Context, next: Next): Promise<void> {
  try {
    await next()
    if (ctx.status === 404 && ctx.body === undefined) ctx.throw(404, 'Not found.')
  } catch (error) {
    const expected = error instanceof Koa.HttpError && error.expose
    if (!expected) ctx.app.emit('error', error, ctx)
    const status = expected ? error.status : 500
    const message = expected ? error.message : 'Something went wrong. Please try again.'
    if (ctx.path.startsWith('/v/')) sendMessage(ctx, frame, 'Not available', message)
    else ctx.body = { status: 'fail', code: String(status), message }
    ctx.status = status
  }
}
