import { type Config, readConfig } from '#server/configuration/config.ts'
import { readDependencies } from '#server/start/read-dependencies.ts'
import { type Check, check, type Examined } from './check.ts'
import { checkBaseUrl } from './check-base-url.ts'
import { checkDatabase } from './check-database.ts'
import { checkIssuer } from './check-issuer.ts'
import { checkPractice } from './check-practice.ts'
import { checkProvider } from './check-provider.ts'
import { checkRedis } from './check-redis.ts'
import { judgeChecks, watchMachine } from './judge-checks.ts'

type Environment = Record<string, string | undefined>

/**
 * Checks the configuration and, if a start would go on with it, everything that the service depends on. Changes nothing.
 */
export async function diagnose(readEnvironment: () => Environment): Promise<Check[]> {
  // Node loads it with the first use, and no check's clock runs yet.
  await fetch('data:,')
  const findBusy = watchMachine()
  const examined = await examine(readEnvironment)
  return judgeChecks(examined, findBusy())
}

async function examine(readEnvironment: () => Environment): Promise<Examined[]> {
  let config: Config | undefined
  const configuration = await check('configuration', async () => {
    const environment = readEnvironment()
    const complete = readConfig(environment)
    await readDependencies(complete)
    config = complete
    return [describeKind(complete), ...describeProxy(complete)].join('; ')
  })
  if (!config) return [configuration]
  // Meanwhile the database is checked: what is frozen must not add up.
  const remote = Promise.all([checkProvider(config), checkIssuer(config)])
  const practice = checkPractice(config)
  const { checks, publishedKids } = await checkDatabase(config)
  const [redis, baseUrl] = await Promise.all([checkRedis(config), checkBaseUrl(config, publishedKids)])
  const published = [...checks, baseUrl].every(({ ok }) => ok) ? [await practice] : []
  return [configuration, ...checks, redis, ...(await remote).flat(), baseUrl, ...published]
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
