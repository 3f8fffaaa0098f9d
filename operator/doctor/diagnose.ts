import { type Config, readConfig } from '#server/configuration/config.ts'
import { assertRequiredSettings } from '#server/configuration/required-settings.ts'
import { type Check, check } from './check.ts'
import { checkBaseUrl } from './check-base-url.ts'
import { checkDatabase } from './check-database.ts'
import { checkDisk } from './check-disk.ts'
import { checkIssuer } from './check-issuer.ts'
import { checkPractice } from './check-practice.ts'
import { checkProvider } from './check-provider.ts'
import { checkNodeAuthorities, checkReceiverAuthorities } from './check-receiver-authorities.ts'
import { checkRedis } from './check-redis.ts'

type Environment = Record<string, string | undefined>

/** Checks the configuration and, if it is complete, everything that the service depends on. Changes nothing. */
export async function diagnose(readEnvironment: () => Environment): Promise<Check[]> {
  let config: Config | undefined
  let environment: Environment = {}
  const configuration = await check('configuration', async () => {
    environment = readEnvironment()
    const complete = readConfig(environment)
    assertRequiredSettings(complete)
    config = complete
    return [describeKind(complete), ...describeProxy(complete)].join('; ')
  })
  if (!config) return [configuration]
  // Meanwhile the database is checked: what is frozen must not add up.
  const remote = Promise.all([
    checkProvider(config),
    checkIssuer(config),
    checkReceiverAuthorities(config),
    checkNodeAuthorities(environment),
  ])
  const { checks, found } = await checkDatabase(config)
  const databaseFaults = checks.filter(({ ok }) => !ok).map(({ name }) => name)
  const [redis, baseUrl, disk, practice] = await Promise.all([
    checkRedis(config),
    checkBaseUrl(config, { ...found, databaseFaults }),
    checkDisk(config),
    checkPractice(config),
  ])
  return [configuration, ...checks, redis, ...(await remote).flat(), baseUrl, disk, practice]
}

function describeKind({ productionReason, allowSimulators }: Config): string {
  if (productionReason) return `complete; for production, because ${productionReason}`
  return allowSimulators
    ? 'ALLOW_SIMULATORS is set: simulators may approve anyone'
    : 'local: embedded parts replace what is not set'
}

/** The service itself speaks http, so a proxy is in front of it. */
function describeProxy({ baseUrl, proxyCount }: Config): string[] {
  if (proxyCount > 0 || !baseUrl.startsWith('https:')) return []
  return [
    'TRUST_PROXY is 0 although BASE_URL is https: unless the proxy passes on TCP only, set it to the number of proxies, or all clients share the limits of one address',
  ]
}
