import { type Config, ConfigError } from './config.ts'

/**
 * The dependencies that a production configuration must set. REDIS_URL is not one of them: a single process can keep
 * limits and caches in memory.
 */
const requiredSettings = {
  DATABASE_URL: 'databaseUrl',
  ENCRYPTION_KEY: 'encryptionKeys',
  VERIFF_BASE_URL: 'veriffBaseUrl',
  VERIFF_API_KEY: 'veriffApiKey',
  VERIFF_SHARED_SECRET: 'veriffSharedSecrets',
  OIDC_ISSUER: 'oidcIssuer',
  OIDC_AUDIENCE: 'oidcAudience',
} as const satisfies Record<string, keyof Config>

type RequiredSetting = keyof typeof requiredSettings

const names = Object.keys(requiredSettings) as RequiredSetting[]

/**
 * Throws a `ConfigError` with a line for each missing setting of a production configuration. A command that needs
 * only some of the dependencies passes their names.
 */
export function assertRequiredSettings(config: Config, needed: readonly RequiredSetting[] = names): void {
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
  needed: readonly RequiredSetting[] = names,
): Promise<Part> {
  try {
    return await load()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    const reason = 'the packages of the embedded parts are not installed'
    throw new ConfigError(describeMissingSettings(config, reason, needed))
  }
}

function describeMissingSettings(
  config: Config,
  reason: string,
  needed: readonly RequiredSetting[],
): string[] {
  return needed
    .filter(name => config[requiredSettings[name]] === undefined)
    .map(name => `${name} is required: ${reason}`)
}
