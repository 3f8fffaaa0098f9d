import type { Delivery, DeliveryPlan } from '#development/veriff-simulator/delivery.ts'
import type { Mode } from '#development/veriff-simulator/inject-failure.ts'
import { startVeriffSimulator } from '#development/veriff-simulator/start-veriff-simulator.ts'
import type { Outcome, Session } from '#server/providers/test-provider/session.ts'
import { decisionOn } from '../../harness/provider-callback.ts'
import { call, control } from '../../harness/tenant-client.ts'

export interface ProviderSession extends Session {
  vendorData: string
  deliveries: Delivery[]
}

/** The project's simulator of the identity provider, with short delays between its attempts. */
export async function startProvider(
  { apiKey, sharedSecret }: { apiKey: string; sharedSecret: string },
  webhookUrl: string,
) {
  const { baseUrl: veriffUrl, close } = await startVeriffSimulator({
    port: 0,
    apiKey,
    sharedSecrets: [sharedSecret],
    webhookUrl,
    retryDelaysSeconds: [0.3, 0.5, 1, 2],
    webhookTimeoutSeconds: 3,
  })
  const sessionsUrl = `${veriffUrl}/control/sessions`
  async function act(
    verificationId: string,
    action: 'open' | 'submit' | 'decide',
    json: DeliveryPlan & { outcome?: Outcome } = {},
  ): Promise<Delivery[]> {
    const { status, body } = await control({ veriffUrl }, verificationId, action, { ...json })
    if (status !== 200) throw new Error(`The simulator answered ${status}: ${JSON.stringify(body)}`)
    return body.deliveries
  }
  return {
    url: veriffUrl,
    act,
    /** Sends an approval of an adult that is signed with another secret, once. */
    async forge(vendorData: string) {
      const { id: sessionId } = (await call(`${sessionsUrl}/${vendorData}`)).body.session
      const json = decisionOn({ sessionId, vendorData }, 'approved')
      await call(`${sessionsUrl}/${vendorData}/deliver?delivery=wrong-signature`, { method: 'POST', json })
    },
    sessions: async (): Promise<ProviderSession[]> => (await call(sessionsUrl)).body.sessions,
    /** Attempts all callbacks that wait for a retry. */
    release: () => call(`${veriffUrl}/control/deliveries/release`, { method: 'POST' }),
    /** How its API answers calls of the service. */
    async answerWith(mode: Mode) {
      const json = { createSession: mode, decision: mode }
      await call(`${veriffUrl}/control/mode`, { method: 'PUT', json })
    },
    close,
  }
}
