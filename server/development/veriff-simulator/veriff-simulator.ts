import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Agent } from 'undici'
import { allWell } from './api/modes.ts'
import { createApp } from './app.ts'
import {
  defaultRetryDelaysSeconds,
  defaultWebhookDeadlineSeconds,
  type VeriffSimulatorOptions,
} from './options.ts'
import { endOldSessions } from './session/end-old-sessions.ts'
import { SessionStore } from './session/session-store.ts'
import { signingSecret } from './sign.ts'
import type { Simulator } from './simulator.ts'
import { Outbox } from './webhook/outbox.ts'
import { sendWebhook } from './webhook/send-webhook.ts'

export type { VeriffSimulatorOptions } from './options.ts'

const endSessionsEveryMs = 60_000

/**
 * Starts the local stand-in of the identity provider: its API under `/v1`, the hosted page under `/v`, and
 * `/control` for scripts. Rejects when the port is taken or the data file cannot be read or written.
 */
export async function startVeriffSimulator(
  options: VeriffSimulatorOptions,
): Promise<{ baseUrl: string; close(): Promise<void> }> {
  const log = options.log ?? (() => {})
  const now = options.now ?? (() => new Date())
  const dispatcher = new Agent()
  const store = await SessionStore.open(options.dataFile, now())
  const outbox = createOutbox(options, store, dispatcher)
  const simulator: Simulator = {
    baseUrl: '',
    apiKey: options.apiKey,
    sharedSecrets: options.sharedSecrets,
    allowHttpCallback: options.allowHttpCallback ?? false,
    now,
    store,
    outbox,
    modes: allWell,
  }
  const server = createServer(createApp(simulator, log).callback())
  try {
    simulator.baseUrl = await listen(server, options)
  } catch (error) {
    await store.close()
    throw error
  }

  outbox.resume()
  let ending = endSessions(simulator, log)
  const timer = setInterval(() => {
    ending = endSessions(simulator, log)
  }, endSessionsEveryMs)
  return {
    baseUrl: simulator.baseUrl,
    async close() {
      clearInterval(timer)
      server.close()
      server.closeAllConnections()
      await outbox.close()
      await ending
      await dispatcher.destroy()
      await store.close()
    },
  }
}

function createOutbox(options: VeriffSimulatorOptions, store: SessionStore, dispatcher: Agent): Outbox {
  const route = {
    url: options.webhookUrl,
    apiKey: options.apiKey,
    secret: signingSecret(options.sharedSecrets),
    deadlineSeconds: options.webhookDeadlineSeconds ?? defaultWebhookDeadlineSeconds,
    dispatcher,
  }
  return new Outbox({
    store,
    send: (delivery, ended) => sendWebhook(route, delivery.body, delivery.signing, ended),
    now: options.now ?? (() => new Date()),
    retryDelaysSeconds: options.retryDelaysSeconds ?? defaultRetryDelaysSeconds,
    log: options.log ?? (() => {}),
  })
}

/** The address under which it can be reached. */
async function listen(server: Server, { host, port }: VeriffSimulatorOptions): Promise<string> {
  server.listen(port, host)
  await once(server, 'listening')
  const { address, family, port: taken } = server.address() as AddressInfo
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${taken}`
}

async function endSessions(simulator: Simulator, log: (line: string) => void): Promise<void> {
  try {
    await endOldSessions(simulator)
  } catch (error) {
    log(`sessions could not be ended: ${error}`)
  }
}
