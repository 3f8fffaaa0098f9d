import type { StatementPool } from '#domain/database/statement.ts'
import { type IdentityProvider, ProviderUnavailable, type TestProvider } from '#domain/ports.ts'
import { isTestSession, testSessionPrefix } from '#domain/tenant/test-tenant.policy.ts'
import type { ProviderCallbacks } from '#rest/ports.ts'
import { openProvider, openSimulator } from './identity-providers.ts'
import type { OpenedProvider, ProviderIntegration, ProviderOptions } from './provider-adapter.ts'
import type { OpenedSimulator } from './simulator/open-simulator.ts'

export interface ProvidersOptions extends ProviderOptions {
  /** Undefined where every tenant is a test tenant. */
  integration: ProviderIntegration | undefined
  testTenants: boolean
  pool: StatementPool
  baseUrl: string
}

export interface OpenedProviders extends Omit<OpenedProvider, 'secretInUse'> {
  /** Undefined where there are no test tenants. */
  simulator: (Pick<OpenedSimulator, 'pages' | 'handleCallbacks' | 'callbacks'> & TestProvider) | undefined
}

/**
 * The identity provider of live tenants and that of test tenants, as one. The ids of the simulator's sessions have a prefix
 * outside of it, by which calls find it, and without which nothing that the other one reports reaches them.
 */
export async function openProviders(options: ProvidersOptions): Promise<OpenedProviders> {
  const { integration, testTenants, pool, baseUrl, ...others } = options
  await using closing = new AsyncDisposableStack()
  const live = integration && (await openProvider(integration, others))
  closing.defer(() => live?.close())
  const simulator = testTenants || !live ? await openSimulator({ pool, baseUrl, ...others }) : undefined
  closing.defer(() => simulator?.close())
  const open = closing.move()
  return {
    client: composeClients(live?.client, simulator?.client),
    callbacks: live ? withoutTestSessions(live.callbacks) : noCallbacks,
    simulator: simulator && {
      pages: simulator.pages,
      handleCallbacks: simulator.handleCallbacks,
      callbacks: withPrefix(simulator.callbacks),
      chooseOutcome: async (id, choice) =>
        isTestSession(id) && simulator.chooseOutcome(withoutPrefix(id), choice),
    },
    close: () => open.disposeAsync(),
  }
}

function composeClients(
  live: IdentityProvider | undefined,
  test: IdentityProvider | undefined,
): IdentityProvider {
  return {
    name: 'veriff',
    async createSession(request) {
      if (live && !request.test) {
        const created = await live.createSession(request)
        if (!isTestSession(created.providerSessionId)) return created
        throw new ProviderUnavailable('invalid_response', 'The provider returned the id of a test session')
      }
      if (!test) throw new ProviderUnavailable('rejected', 'TEST_TENANTS is not set')
      const { providerSessionId, sessionUrl } = await test.createSession(request)
      return { providerSessionId: testSessionPrefix + providerSessionId, sessionUrl }
    },
    async fetchDecision(id, verificationId) {
      if (!isTestSession(id)) return await live?.fetchDecision(id, verificationId)
      const decision = await test?.fetchDecision(withoutPrefix(id), verificationId)
      return decision && { ...decision, providerSessionId: id }
    },
    async deleteSession(id) {
      const deleted = isTestSession(id) ? test?.deleteSession(withoutPrefix(id)) : live?.deleteSession(id)
      return (await deleted) ?? 'unknown'
    },
  }
}

const withoutPrefix = (id: string) => id.slice(testSessionPrefix.length)

/** Of the simulator, in the ids that the service has. */
function withPrefix(callbacks: ProviderCallbacks): ProviderCallbacks {
  return {
    ...callbacks,
    read(body, now) {
      const result = callbacks.read(body, now)
      return result && { ...result, providerSessionId: testSessionPrefix + result.providerSessionId }
    },
  }
}

/** What the real provider reports of a session with the prefix is none of ours. */
function withoutTestSessions(callbacks: ProviderCallbacks): ProviderCallbacks {
  return {
    ...callbacks,
    read(body, now) {
      const result = callbacks.read(body, now)
      return result && isTestSession(result.providerSessionId) ? undefined : result
    },
  }
}

const noCallbacks: ProviderCallbacks = {
  hasCredentials: () => false,
  isAuthentic: () => false,
  read: () => undefined,
  readUnknownStatus: () => undefined,
}
