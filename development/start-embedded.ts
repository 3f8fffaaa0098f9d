import type { Config } from '#server/configuration/config.ts'
import {
  configuredSignIn,
  type Dependencies,
  type SimulatorName,
} from '#server/configuration/dependencies.ts'
import { configuredProvider } from '#server/configuration/identity-providers.ts'
import type { Log } from '#server/logging/log.ts'
import { openDataFolder } from './data-folder.ts'
import type { EmbeddedContext } from './embedded-context.ts'
import { type EmbeddedReceiver, embedPostgres, embedSignIn, embedWebhookReceiver } from './embedded-parts.ts'
import { ensureBuilt } from './ensure-built.ts'
import { loadOrCreateEncryptionKey } from './load-or-create-secret.ts'
import { choosePorts } from './ports.ts'
import { stopLeftoverPostgres } from './postgres/start-postgres.ts'

export interface Embedded {
  dependencies: Dependencies
  /** Absolute path of the data folder. */
  folder: string
  /** Address of the local sign-in provider, for people; undefined where the environment configures a real one. */
  signInUrl: string | undefined
  /** The demo tenant's webhook receiver; only if everything is embedded, so that loopback receivers are allowed. */
  receiver: EmbeddedReceiver | undefined
  close(): Promise<void>
}

/**
 * Builds what the checkout lacks, and starts an embedded part for each dependency that the environment does not configure.
 * Throws a `StartError` with a one-line reason. `onStep` is called before a step that takes seconds, for people who wait.
 */
export async function startEmbedded(
  config: Config,
  log: Log,
  onStep: (step: string) => void,
): Promise<Embedded> {
  const closing = new AsyncDisposableStack()
  try {
    if (config.role !== 'worker') await ensureBuilt(onStep)
    const folder = await openDataFolder(config.dataFolder)
    closing.defer(() => folder.release())
    const parts = await startParts({ config, folder: folder.path, log, closing }, onStep)
    const close = closing.move()
    return { ...parts, close: () => close.disposeAsync() }
  } catch (error) {
    await closing.disposeAsync()
    throw error
  }
}

async function startParts(
  context: EmbeddedContext,
  onStep: (step: string) => void,
): Promise<Omit<Embedded, 'close'>> {
  const { config, folder } = context
  // Its port must be free before ports are chosen.
  await stopLeftoverPostgres(folder)
  const names = ['signIn', 'postgres', 'eventsView', 'events'] as const
  const reserved = config.metricsPort === undefined ? [] : [config.metricsPort]
  const ports = await choosePorts(folder, config.port, names, reserved)
  if (!config.databaseUrl) onStep('Starting PostgreSQL')
  const databaseUrl = config.databaseUrl ?? (await embedPostgres(context, ports.postgres))
  const oidc = configuredSignIn(config) ?? (await embedSignIn(context, ports.signIn))
  const receiver = config.allEmbedded ? await embedWebhookReceiver(context, ports) : undefined
  return {
    dependencies: {
      databaseUrl,
      encryptionKeys: config.encryptionKeys ?? [await loadOrCreateEncryptionKey(folder)],
      provider: configuredProvider(config),
      oidc,
      receiverAuthorities: receiver?.authorities ?? config.webhookCaFile,
      simulators: simulatorsOf(config),
    },
    folder,
    receiver,
    signInUrl: configuredSignIn(config) ? undefined : oidc.issuer,
  }
}

function simulatorsOf(config: Config): SimulatorName[] {
  const simulators: SimulatorName[] = []
  if (!configuredProvider(config)) simulators.push('identity_provider')
  if (!configuredSignIn(config)) simulators.push('sign_in_provider')
  return simulators
}
