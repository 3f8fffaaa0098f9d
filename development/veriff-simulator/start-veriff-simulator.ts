import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Agent } from 'undici'
import { acceptLocalRequests, type LocalRequestOptions } from '../local-requests.ts'
import { createApp } from './app.ts'
import { endOldSessions } from './session-actions.ts'
import { SessionStore } from './session-store.ts'
import { signingSecret } from './signature.ts'
import { defaultModes, type Simulator } from './simulator.ts'
import { Outbox } from './webhook/outbox.ts'
import { sendWebhook } from './webhook/send-webhook.ts'

export interface VeriffSimulatorOptions extends LocalRequestOptions {
  host: string
  /** 0 picks a free port. */
  port: number
  /** The integration's API key, a UUID as at the real provider. */
  apiKey: string
  /** The first one signs; requests signed with any of them are accepted. */
  sharedSecrets: string[]
  /** Receives all webhooks; the real provider takes it from the integration's settings. */
  webhookUrl: string
  /** SQLite file for sessions and undelivered webhooks; without it they are lost when the process ends. */
  dataFile?: string
  /** Seconds before each retry of a webhook; the last one repeats, for 7 days in total. */
  retryDelaysSeconds?: number[]
  /** Time limit for a response to a webhook; 5 by default, as at the real provider. */
  webhookTimeoutSeconds?: number
  now?: () => Date
  /** Called with one line per webhook attempt; never contains a body, a token or a secret. */
  log?: (line: string) => void
}

const defaultWebhookTimeoutSeconds = 5

/** The real provider retries hourly; here a restarted service gets missed webhooks within seconds. */
const defaultRetryDelaysSeconds = [1, 2, 5, 10, 30, 60, 3600]

const endSessionsIntervalMs = 60_000

/**
 * Starts the local simulator of the identity provider: its API under `/v1`, the hosted page under `/v`, and
 * `/control` for scripts. Only local requests are accepted. Throws if the port is taken or the data file cannot be used.
 */
export async function startVeriffSimulator(
  options: VeriffSimulatorOptions,
): Promise<{ baseUrl: string; close(): Promise<void> }> {
  const { apiKey, sharedSecrets, log = () => {}, now = () => new Date() } = options
  const dispatcher = new Agent()
  const store = new SessionStore(options.dataFile, now())
  const outbox = createOutbox({ ...options, log, now }, store, dispatcher)
  const simulator: Simulator = {
    baseUrl: '',
    apiKey,
    sharedSecrets,
    now,
    store,
    outbox,
    modes: defaultModes,
  }
  const server = createServer(acceptLocalRequests(createApp(simulator, log).callback(), options))
  try {
    simulator.baseUrl = await listen(server, options)
  } catch (error) {
    store.close()
    throw error
  }

  outbox.resume()
  let ending = endSessions(simulator, log)
  const timer = setInterval(() => {
    ending = endSessions(simulator, log)
  }, endSessionsIntervalMs)
  return {
    baseUrl: simulator.baseUrl,
    async close() {
      clearInterval(timer)
      server.close()
      server.closeAllConnections()
      await outbox.close()
      await ending
      await dispatcher.destroy()
      store.close()
    },
  }
}

function createOutbox(
  options: VeriffSimulatorOptions & Required<Pick<VeriffSimulatorOptions, 'log' | 'now'>>,
  store: SessionStore,
  dispatcher: Agent,
): Outbox {
  const target = {
    url: options.webhookUrl,
    apiKey: options.apiKey,
    secret: signingSecret(options.sharedSecrets),
    timeoutSeconds: options.webhookTimeoutSeconds ?? defaultWebhookTimeoutSeconds,
    dispatcher,
  }
  return new Outbox({
    store,
    send: (delivery, closed) => sendWebhook(target, delivery, closed),
    now: options.now,
    retryDelaysSeconds: options.retryDelaysSeconds ?? defaultRetryDelaysSeconds,
    log: options.log,
  })
}

/** Returns the base URL. */
async function listen(server: Server, { host, port }: VeriffSimulatorOptions): Promise<string> {
  server.listen(port, host)
  await once(server, 'listening')
  const { address, family, port: bound } = server.address() as AddressInfo
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${bound}`
}

async function endSessions(simulator: Simulator, log: (line: string) => void): Promise<void> {
  try {
    await endOldSessions(simulator)
  } catch (error) {
    log(`ending old sessions failed: ${error}`)
  }
}
