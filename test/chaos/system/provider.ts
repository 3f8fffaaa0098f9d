import type { Outcome } from '#development/veriff-simulator/session.ts'
import type { Mode } from '#development/veriff-simulator/simulator.ts'
import { startVeriffSimulator } from '#development/veriff-simulator/start-veriff-simulator.ts'
import type { DeliveryPlan } from '#development/veriff-simulator/webhook/delivery.ts'
import { decisionOn } from '../../harness/provider-callback.ts'
import { call } from '../../harness/tenant-client.ts'

/** A callback's state at the provider, which repeats it until the service answers 200. */
export interface ProviderDelivery {
  id: string
  title: string
  /** Whether the service answered 200. */
  accepted: boolean
  state: 'waiting' | 'held' | 'accepted' | 'given-up'
  status: number | null
  tries: number
}

export interface ProviderSession {
  id: string
  vendorData: string
  status: string
  deliveries: ProviderDelivery[]
}

export interface Provider {
  url: string
  open(verificationId: string, plan?: DeliveryPlan): Promise<ProviderDelivery[]>
  submit(verificationId: string, plan?: DeliveryPlan): Promise<ProviderDelivery[]>
  decide(verificationId: string, outcome: Outcome, plan?: DeliveryPlan): Promise<ProviderDelivery[]>
  /** Sends an approval of an adult that is signed with another secret, once. */
  forge(verificationId: string): Promise<void>
  sessions(): Promise<ProviderSession[]>
  /** Attempts all callbacks that wait for a retry. */
  release(): Promise<void>
  /** How its API answers calls of the service. */
  answerWith(mode: Mode): Promise<void>
  close(): Promise<void>
}

/** The project's simulator of the identity provider, with short delays between its attempts. */
export async function startProvider(
  { apiKey, sharedSecret }: { apiKey: string; sharedSecret: string },
  webhookUrl: string,
): Promise<Provider> {
  const simulator = await startVeriffSimulator({
    port: 0,
    apiKey,
    sharedSecrets: [sharedSecret],
    webhookUrl,
    retryDelaysSeconds: [0.3, 0.5, 1, 2],
    webhookTimeoutSeconds: 3,
  })
  const control = `${simulator.baseUrl}/control`
  async function act(id: string, action: string, json: object): Promise<ProviderDelivery[]> {
    const { status, body } = await call(`${control}/sessions/${id}/${action}`, { method: 'POST', json })
    if (status !== 200)
      throw new Error(`The provider's simulator answered ${status}: ${JSON.stringify(body)}`)
    return body.deliveries
  }
  return {
    url: simulator.baseUrl,
    open: (id, plan = {}) => act(id, 'open', plan),
    submit: (id, plan = {}) => act(id, 'submit', plan),
    decide: (id, outcome, plan = {}) => act(id, 'decide', { outcome, ...plan }),
    async forge(vendorData) {
      const { id: sessionId } = (await call(`${control}/sessions/${vendorData}`)).body.session
      const json = decisionOn({ sessionId, vendorData }, 'approved')
      const path = `${control}/sessions/${vendorData}/deliver?delivery=wrong-signature`
      await call(path, { method: 'POST', json })
    },
    sessions: async () => (await call(`${control}/sessions`)).body.sessions,
    release: async () => void (await call(`${control}/deliveries/release`, { method: 'POST' })),
    answerWith: async mode => {
      const json = { createSession: mode, decision: mode }
      await call(`${control}/mode`, { method: 'PUT', json })
    },
    close: () => simulator.close(),
  }
}
