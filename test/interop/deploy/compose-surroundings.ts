import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { demoUsers } from '#development/demo-users.ts'
import { startSignIn } from '#development/sign-in/start-sign-in.ts'
import { startVeriffSimulator } from '#development/veriff-simulator/start-veriff-simulator.ts'
import { type ReceivedEvent, receiveEvents } from '#development/webhook-receiver/receive-events.ts'

/** What is outside of the containers: the sign-in provider. */
export async function startProvider(publicUrl: string, closing: AsyncDisposableStack): Promise<string> {
  const { issuer, close } = await startSignIn({
    port: 0,
    clientId: 'dashboard',
    audience: `${publicUrl}/console`,
    users: demoUsers,
    redirectUris: [`${publicUrl}/dashboard/sign-in/callback`],
    postLogoutRedirectUris: [`${publicUrl}/dashboard/`],
    dashboardOrigins: [publicUrl],
    origins: [publicUrl],
    publicUrl,
  })
  closing.defer(close)
  return issuer
}

/** The identity provider, whose credentials the operator writes beside the other secrets. Returns its URL. */
export async function startVeriff(
  secrets: string,
  webhookUrl: string,
  closing: AsyncDisposableStack,
): Promise<string> {
  const [apiKey, sharedSecret] = ['00000000-0000-4000-8000-000000000000', 'from-veriff']
  await writeFile(join(secrets, 'veriff-api-key'), apiKey)
  await writeFile(join(secrets, 'veriff-shared-secret'), sharedSecret)
  const simulator = await startVeriffSimulator({
    port: 0,
    apiKey,
    sharedSecrets: [sharedSecret],
    webhookUrl,
  })
  closing.defer(simulator.close)
  return simulator.baseUrl
}

export interface Receiver {
  url: string
  /** PEM file with the certificate that the service must trust. */
  authorityFile: string
  /** Of the tenant; a test adds them. */
  secrets: string[]
  events: ReceivedEvent[]
}

/** A tenant's receiver. */
export async function startReceiver(folder: string, closing: AsyncDisposableStack): Promise<Receiver> {
  const [secrets, events]: [string[], ReceivedEvent[]] = [[], []]
  const { url, authorityFile, close } = await receiveEvents({
    folder,
    port: 0,
    path: '/events',
    secretsFor: () => secrets,
    onEvent: event => void events.push(event),
    onError: console.error,
  })
  closing.defer(close)
  return { url, authorityFile, secrets, events }
}
