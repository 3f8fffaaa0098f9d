import { randomUUID } from 'node:crypto'
import { ProviderUnavailable } from '#domain/ports.ts'
import type { Config } from '#server/configuration/config.ts'
import { configuredProvider, namesOfVariables } from '#server/configuration/identity-providers.ts'
import type { ProviderIntegration } from '#server/configuration/provider-integration.ts'
// Loaded before the clock of its check starts.
import '#server/providers/veriff/open-veriff.ts'
import { openProvider } from '#server/providers/open-provider.ts'
import { check, type Examined, Fault, remoteMsMax } from './check.ts'

/** Less patient than the service, so that the doctor is done in time. */
const deadlineMs = 6_000

/** The integration, and the one that it has replaced, if there is one. */
export async function checkProvider(config: Config): Promise<Examined[]> {
  const integration = configuredProvider(config)
  if (!integration) return [await check('identity-provider', async () => 'the simulator of test tenants')]
  const { previous, ...current } = integration
  const names = namesOfVariables(integration)
  return await Promise.all([
    check('identity-provider', () => describe(current, names.current), remoteMsMax),
    ...(previous
      ? [check('previous-identity-provider', () => describe(previous, names.previous), remoteMsMax)]
      : []),
  ])
}

/** Asks for the decision of a session that doesn't exist: the provider verifies the credentials first. */
async function describe(integration: ProviderIntegration, names: string[]): Promise<string> {
  const { client, secretInUse, close } = await openProvider(integration, { deadlineMs })
  try {
    await client.fetchDecision(randomUUID(), randomUUID())
  } catch (error) {
    if (!(error instanceof ProviderUnavailable)) throw error
    throw new Fault(`${error.message}: ${advise(error, names)}`, { cause: error })
  } finally {
    await close()
  }
  return `${integration.baseUrl} accepts the API key and ${describeSecret(integration, secretInUse())}`
}

/** By its position: the value is a secret. */
function describeSecret({ sharedSecrets: { length } }: ProviderIntegration, index: number): string {
  if (length === 1) return 'the shared secret'
  const secret = `the ${ordinals[index] ?? `${index + 1}th`} of ${length} shared secrets`
  return index === 0
    ? `${secret}: the others can go when no callback is signed with them`
    : `${secret}, and none before it: the first one is not in force there yet`
}

const ordinals = ['first', 'second', 'third']

function advise({ failure }: ProviderUnavailable, names: string[]): string {
  if (failure === 'server_error') return 'see the provider’s status page; nothing is lost meanwhile'
  return failure === 'timeout' || failure === 'unreachable' || failure === 'foreign_response'
    ? `check ${names[0]}, DNS, and the firewall and proxy for outgoing connections`
    : `compare ${names.join(', ')} with the integration in the provider’s portal`
}
