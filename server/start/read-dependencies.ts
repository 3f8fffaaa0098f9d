import type { Config } from '../configuration/config.ts'
import { configuredDependencies, type Dependencies } from '../configuration/dependencies.ts'
import { assertRequiredSettings, loadEmbedded } from '../configuration/required-settings.ts'
import { assertBuilt } from '../pages/assert-built.ts'

/**
 * What every start asks of its settings and its release before it opens anything, and the operator's doctor, too. Undefined if
 * embedded parts replace what is not set. Throws a `ConfigError` or a `StartError`.
 */
export async function readDependencies(config: Config): Promise<Dependencies | undefined> {
  assertRequiredSettings(config)
  const dependencies = configuredDependencies(config)
  if (!dependencies) await loadParts(config)
  else if (config.role !== 'worker') assertBuilt()
  return dependencies
}

/** The code of embedded parts. */
export const loadParts = (config: Config) =>
  loadEmbedded(config, async () => ({
    ...(await import('#development/start-embedded.ts')),
    ...(await import('#development/welcome.ts')),
  }))
