import { randomUUID } from 'node:crypto'
import { type IdentityProvider, ProviderUnavailable, type TestProvider } from '#domain/ports.ts'
import type { ProviderOutcome, ProviderResult } from '#domain/provider-result.ts'

/** An identity provider that a test controls, of live and of test verifications. */
export interface ScriptedProvider extends IdentityProvider, Pick<TestProvider, 'chooseOutcome'> {
  /** Verifications that a session was created for, in order. */
  created: string[]
  /** Sessions whose decision was polled for, in order. */
  polled: string[]
  /** Sessions that were deleted, in order. */
  deleted: string[]
  /** By provider session id. */
  decisions: Map<string, ProviderResult>
  /** How often it was called. */
  calls(): number
  /** Awaited before each response, with the number of the call. The call fails if it rejects. */
  before: (call: number) => Promise<void>
}

export function createScriptedProvider(): ScriptedProvider {
  let calls = 0
  const provider: ScriptedProvider = {
    name: 'veriff',
    created: [],
    polled: [],
    deleted: [],
    decisions: new Map(),
    before: async () => {},
    calls: () => calls,
    async createSession({ verificationId }) {
      provider.created.push(verificationId)
      await provider.before(calls++)
      const providerSessionId = randomUUID()
      return { providerSessionId, sessionUrl: `https://provider.example.com/v/${providerSessionId}` }
    },
    async fetchDecision(providerSessionId) {
      provider.polled.push(providerSessionId)
      await provider.before(calls++)
      return provider.decisions.get(providerSessionId)
    },
    async deleteSession(providerSessionId) {
      await provider.before(calls++)
      if (provider.deleted.includes(providerSessionId)) return 'unknown'
      provider.deleted.push(providerSessionId)
      return 'deleted'
    },
    chooseOutcome: () => Promise.reject(new Error('Results are given to the verbs that record them.')),
  }
  return provider
}

export async function unavailable(): Promise<void> {
  throw new ProviderUnavailable('unreachable', 'unavailable')
}

/** A result of the provider. Events carry no time, decisions the given one. */
export function providerResult(
  outcome: ProviderOutcome,
  more: Partial<Omit<ProviderResult, 'outcome'>> = {},
): ProviderResult {
  return {
    providerSessionId: '',
    vendorData: null,
    attemptId: null,
    outcome,
    code: null,
    reasonCode: null,
    score: null,
    decidedAt: null,
    over18: null,
    ageBasis: typeof more.over18 === 'boolean' ? 'date' : 'none',
    ...more,
  }
}
