import { type Config, ConfigError } from './config.ts'
import { providerSettings } from './identity-providers.ts'

/**
 * The dependencies that a production configuration must set. REDIS_URL is not one of them: a single process can keep
 * limits in memory.
 */
const requiredSettings: Record<string, keyof Config> = {
  DATABASE_URL: 'databaseUrl',
  ENCRYPTION_KEY: 'encryptionKeys',
  ...providerSettings[0]?.current,
  OIDC_ISSUER: 'oidcIssuer',
  OIDC_AUDIENCE: 'oidcAudience',
}

const names = Object.keys(requiredSettings)

/**
 * Throws a `ConfigError` with a line for each missing setting of a production configuration. A command that needs
 * only some of the dependencies passes their names.
 */
export function assertRequiredSettings(config: Config, needed: readonly string[] = names): void {
  if (config.productionReason === undefined) return
  const missing = describeMissingSettings(config, config.productionReason, needed)
  if (missing.length > 0) throw new ConfigError(missing)
}

/**
 * Runs `load`, which imports an embedded part. Throws a `ConfigError` with a line for each setting that is missing
 * without embedded parts, if their packages are not installed.
 */
export async function loadEmbedded<Part>(
  config: Config,
  load: () => Promise<Part>,
  needed: readonly string[] = names,
): Promise<Part> {
  try {
    return await load()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    const reason = 'the packages of the embedded parts are not installed'
    throw new ConfigError(describeMissingSettings(config, reason, needed))
  }
}

function describeMissingSettings(config: Config, reason: string, needed: readonly string[]): string[] {
  return needed
    .filter(name => config[requiredSettings[name]!] === undefined)
    .map(name => `${name} is required: ${reason}`)
}
