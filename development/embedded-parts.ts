import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SignInProvider } from '#server/configuration/dependencies.ts'
import { demoUsers } from './demo-users.ts'
import type { EmbeddedContext } from './embedded-context.ts'
import { databaseName, startPostgres } from './postgres/start-postgres.ts'
import { startSignIn } from './sign-in/start-sign-in.ts'
import { startWebhookReceiver } from './webhook-receiver/start-webhook-receiver.ts'

/** Starts PostgreSQL on the data folder. Returns its connection string. */
export async function embedPostgres(
  { folder, log, closing }: EmbeddedContext,
  port: number,
): Promise<string> {
  const postgres = await startPostgres({
    folder,
    port,
    databaseName,
    onLog: line => log.debug({ line }, 'postgres'),
    onUnexpectedExit: error => log.fatal({ err: error }, 'Embedded PostgreSQL exited; restart the service'),
  })
  closing.defer(() => postgres.close())
  return postgres.url
}

/** Starts the local sign-in provider. */
export async function embedSignIn(
  { config, folder, log, closing }: EmbeddedContext,
  port: number,
): Promise<SignInProvider> {
  const { baseUrl, dashboardUrl, oidcClientId: clientId } = config
  const audience = config.oidcAudience ?? `${baseUrl}/console`
  const { issuer, close } = await startSignIn({
    port,
    clientId,
    audience,
    users: demoUsers,
    redirectUris: [`${dashboardUrl}/sign-in/callback`],
    postLogoutRedirectUris: [`${dashboardUrl}/`, dashboardUrl],
    dashboardOrigins: [new URL(dashboardUrl).origin],
    publicUrl: baseUrl,
    keysFile: join(folder, 'sign-in-keys.json'),
    onError: error => log.error({ err: error }, 'Local sign-in provider: request failed'),
  })
  closing.defer(close)
  return { issuer, audience, clientId }
}

/** Returns a tenant's webhook secrets, the newest first. */
type SecretsOf = (tenantId: string) => Promise<readonly string[]>

export type EmbeddedReceiver = Awaited<ReturnType<typeof embedWebhookReceiver>>

/** Starts a webhook receiver for the demo tenant, so that events can be seen before you write a receiver. */
export async function embedWebhookReceiver(
  { config, folder, log, closing }: EmbeddedContext,
  ports: { events: number; eventsView: number },
) {
  const secretsOf = Promise.withResolvers<SecretsOf>()
  const receiver = await startWebhookReceiver({
    folder,
    httpsPort: ports.events,
    viewPort: ports.eventsView,
    publicUrl: config.baseUrl,
    secrets: async tenantId => (await secretsOf.promise)(tenantId),
    onError: error => log.error({ err: error }, 'Local webhook receiver: request failed'),
  })
  closing.defer(() => receiver.close())
  return {
    webhookUrl: receiver.webhookUrl,
    viewUrl: receiver.viewUrl,
    /** PEM file with all certificate authorities that webhook deliveries trust. */
    authorities: await joinAuthorities(folder, [receiver.authorityFile, config.webhookCaFile]),
    /** Sets how webhook secrets are looked up. Events received before this call wait for it. */
    verifyWith: (lookUp: SecretsOf) => secretsOf.resolve(lookUp),
  }
}

async function joinAuthorities(folder: string, files: (string | undefined)[]): Promise<string> {
  const named = files.filter(file => file !== undefined)
  const texts = await Promise.all(named.map(file => readFile(file, 'utf8')))
  const joined = join(folder, 'receiver-authorities.pem')
  await writeFile(joined, texts.join('\n'))
  return joined
}
