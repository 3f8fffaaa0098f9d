import { createServer } from 'node:http'
import Koa, { type Context, type Next } from 'koa'
import { Agent } from 'undici'
import { loopback } from '../embedded-context.ts'
import { acceptLocalRequests, type LocalServerOptions, listenLocally } from '../local-requests.ts'
import { createApiRouter } from './api-router.ts'
import { createControlRouter, type Simulator } from './control-router.ts'
import { allWork, createInterceptor } from './inject-failure.ts'
import { createMemorySessions } from './memory-sessions.ts'
import { Outbox } from './outbox.ts'

export interface VeriffSimulatorOptions extends LocalServerOptions {
  /** The integration's API key, a UUID as at the real provider. */
  apiKey: string
  /** The first one signs; requests signed with any of them are accepted. */
  sharedSecrets: string[]
  /** Receives all webhooks; the real provider takes it from the integration's settings. */
  webhookUrl: string
  /** Seconds before each retry of a webhook; the last one repeats. */
  retryDelaysSeconds?: number[]
  /** Time limit for a response to a webhook; 5 by default, as at the real provider. */
  webhookTimeoutSeconds?: number
}

/** The real provider retries hourly; here a restarted service gets missed webhooks within seconds. */
const defaultRetryDelaysSeconds = [1, 2, 5, 10, 30, 60, 3600]

/**
 * Starts the simulator of the identity provider for tests, with sessions in memory: its API under `/v1`, and `/control` for what
 * a user does on the hosted page, and for the faults that tests need. Only local requests are accepted. Throws if the port is
 * taken.
 */
export async function startVeriffSimulator(
  options: VeriffSimulatorOptions,
): Promise<{ baseUrl: string; close(): Promise<void> }> {
  await using closing = new AsyncDisposableStack()
  const dispatcher = new Agent()
  closing.defer(() => dispatcher.destroy())
  const server = createServer()
  const { port, close: closeServer } = await listenLocally('The Veriff simulator', server, options.port)
  const baseUrl = `http://${loopback}:${port}`
  const simulator = createSimulator(options, baseUrl, dispatcher)
  closing.defer(() => simulator.outbox.close())
  closing.defer(closeServer)
  server.on('request', acceptLocalRequests(createApp(simulator).callback(), options))
  const open = closing.move()
  return { baseUrl, close: () => open.disposeAsync() }
}

function createSimulator(options: VeriffSimulatorOptions, baseUrl: string, dispatcher: Agent): Simulator {
  const { apiKey, sharedSecrets, webhookUrl: url } = options
  const { retryDelaysSeconds = defaultRetryDelaysSeconds, webhookTimeoutSeconds: timeoutSeconds = 5 } =
    options
  const sessions = createMemorySessions()
  const target = { url, apiKey, sharedSecrets, timeoutSeconds, dispatcher }
  const outbox = new Outbox({ sessions, target, retryDelaysSeconds })
  return { pagesUrl: `${baseUrl}/v`, apiKey, sharedSecrets, sessions, outbox, modes: allWork }
}

function createApp(simulator: Simulator): Koa {
  const app = new Koa()
  app.use(handleErrors)
  const intercept = createInterceptor(() => simulator.modes)
  app.use(createApiRouter(simulator, intercept).routes())
  app.use(createControlRouter(simulator).routes())
  return app
}

async function handleErrors(ctx: Context, next: Next): Promise<void> {
  try {
    await next()
    if (ctx.status === 404 && ctx.body === undefined) ctx.throw(404, 'Not found.')
  } catch (error) {
    const expected = error instanceof Koa.HttpError && error.expose
    if (!expected) ctx.app.emit('error', error, ctx)
    ctx.status = expected ? error.status : 500
    ctx.body = { status: 'fail', code: String(ctx.status), message: (error as Error).message }
  }
}
