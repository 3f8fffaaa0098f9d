import type { Config } from '../config.ts'
import { configuredSignIn, configuredVeriff, type Dependencies } from '../dependencies.ts'
import type { Log } from '../log.ts'
import { openDataFolder } from './data-folder.ts'
import { embedSignIn } from './embed-sign-in.ts'
import { embedVeriff } from './embed-veriff.ts'
import { type EmbeddedReceiver, embedWebhookReceiver } from './embed-webhook-receiver.ts'
import type { EmbeddedContext } from './embedded-context.ts'
import { encryptionKey } from './encryption-key.ts'
import { choosePorts } from './ports.ts'
import { databaseName, startPostgres, stopLeftoverPostgres } from './postgres.ts'

export interface Embedded {
  dependencies: Dependencies
  /** Absolute path of the data folder. */
  folder: string
  /** The addresses of stand-ins, for people; undefined for a part that is the real one. */
  veriffUrl: string | undefined
  signInUrl: string | undefined
  /** Of the demo tenant; only where everything is embedded, and events may go to this machine. */
  receiver: EmbeddedReceiver | undefined
  close(): Promise<void>
}

/**
 * Starts a stand-in for every part that the environment does not name. Throws a `StartError` with one line.
 * `tell` gets the step in hand, because the first start takes some seconds.
 */
export async function startEmbedded(
  config: Config,
  log: Log,
  tell: (step: string) => void,
): Promise<Embedded> {
  const closing = new AsyncDisposableStack()
  try {
    const folder = await openDataFolder(config.dataFolder)
    closing.defer(() => folder.release())
    await stopLeftoverPostgres(folder.path)
    const names = ['veriff', 'signIn', 'postgres', 'eventsView', 'events'] as const
    const reserved = config.metricsPort === undefined ? [] : [config.metricsPort]
    const ports = await choosePorts(folder.path, config.port, names, reserved)
    const workshop: EmbeddedContext = { config, folder: folder.path, log, closing }
    const databaseUrl = config.databaseUrl ?? (await embedPostgres(workshop, ports.postgres, tell))
    const veriff = configuredVeriff(config) ?? (await embedVeriff(workshop, ports.veriff))
    const oidc = configuredSignIn(config) ?? (await embedSignIn(workshop, ports.signIn))
    const receiver = config.allEmbedded ? await embedWebhookReceiver(workshop, ports) : undefined
    const dependencies: Dependencies = {
      databaseUrl,
      encryptionKey: config.encryptionKey ?? (await encryptionKey(folder.path)),
      veriff,
      oidc,
      receiverAuthorities: receiver?.authorities ?? config.webhookCaFile,
    }
    const close = closing.move()
    return {
      dependencies,
      folder: folder.path,
      veriffUrl: configuredVeriff(config) ? undefined : veriff.baseUrl,
      signInUrl: configuredSignIn(config) ? undefined : oidc.issuer,
      receiver,
      close: () => close.disposeAsync(),
    }
  } catch (error) {
    await closing.disposeAsync()
    throw error
  }
}

async function embedPostgres(
  { folder, log, closing }: EmbeddedContext,
  port: number,
  tell: (step: string) => void,
): Promise<string> {
  tell('Starting PostgreSQL')
  const postgres = await startPostgres({
    ...{ folder, port, databaseName },
    onLog: line => log.debug({ line }, 'postgres'),
    onDeath: error => log.fatal({ err: error }, 'PostgreSQL has ended by itself; restart the service'),
  })
  closing.defer(() => postgres.close())
  return postgres.url
}
