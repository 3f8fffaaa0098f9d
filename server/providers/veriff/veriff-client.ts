import { z } from 'zod'
import { type Clock, DeletionRejected, type DeletionRejection, type IdentityProvider } from '#domain/ports.ts'
import type { ProviderResult } from '#domain/provider-result.ts'
import { identifier } from './evaluate-decision.ts'
import type { ObserveCall } from './observe-provider.ts'
import { readDecision } from './read-decision.ts'
import {
  invalidResponse,
  isGone,
  isUnknownSession,
  parseResponse,
  readErrorCode,
  unexpectedResponse,
} from './read-response.ts'
import type { VeriffResponse } from './send-request.ts'
import { createSender, type SignedRequest } from './send-signed.ts'
import { assertCredentials, type VeriffCredentials } from './signature.ts'

export interface VeriffClientOptions extends VeriffCredentials {
  /** The integration's base URL, with or without `/v1`. */
  baseUrl: string
  /** For one call, from connecting to the last byte of the response. */
  deadlineMs?: number
  /** Used when a decision has no time. */
  clock?: Clock
  /** Counts the calls, except for deletions. */
  observe?: ObserveCall
}

export interface VeriffClient extends IdentityProvider {
  /** As `fetchDecision`, but says whether there is no decision, or no such session. */
  pollSession(
    providerSessionId: string,
    verificationId: string,
  ): Promise<ProviderResult | 'undecided' | 'unknown'>
  /** The index of the shared secret that signs: the newest one, until Veriff has refused that and taken another one. */
  secretInUse(): number
  close(): Promise<void>
}

/** A client of Veriff's API with a dedicated connection pool. Throws a `TypeError` for incomplete credentials. */
export function createVeriffClient({
  baseUrl,
  deadlineMs = 10_000,
  clock = () => new Date(),
  observe = (_call, work) => work(),
  ...credentials
}: VeriffClientOptions): VeriffClient {
  assertCredentials(credentials)
  const url = new URL(baseUrl)
  const sessions = `${url.pathname.replace(/\/+$/, '').replace(/\/v1$/, '')}/v1/sessions`
  const sender = createSender({ origin: url.origin, credentials, deadlineMs, clock })

  function send<Result>(
    { call, ...request }: Call,
    read: (response: VeriffResponse) => Result,
  ): Promise<Result> {
    const work = async () => read(await sender.send(request))
    return call ? observe(call, work) : work()
  }

  function decisionRequest(providerSessionId: string): Call {
    return {
      method: 'GET',
      path: `${sessions}/${encodeURIComponent(providerSessionId)}/decision`,
      signedText: providerSessionId,
      handled: [404, 410],
    }
  }

  async function pollSession(providerSessionId: string, verificationId: string) {
    const request = decisionRequest(providerSessionId)
    return await send({ call: 'fetch_decision', ...request }, response => {
      if (!isGone(response)) {
        return readDecision(response, { providerSessionId, verificationId }, clock()) ?? 'undecided'
      }
      if (isUnknownSession(response)) return 'unknown'
      throw unexpectedResponse(response, clock())
    })
  }

  return {
    name: 'veriff',
    async createSession({ verificationId, callback }) {
      // Veriff takes https only: in a trial without it, the user stays on its last page.
      const back = callback?.startsWith('https:') ? callback : undefined
      const body = JSON.stringify({ verification: { callback: back, vendorData: verificationId } })
      const request = { method: 'POST', path: sessions, body, signedText: body, handled: [201] } as const
      return await send({ call: 'create_session', ...request }, response => {
        const { id, url, vendorData } = parseResponse(response, createdSession).verification
        // Old integrations don't return it.
        if (vendorData && vendorData.toLowerCase() !== verificationId) {
          throw invalidResponse('the session of another verification')
        }
        return { providerSessionId: id, sessionUrl: url }
      })
    },

    pollSession,
    async fetchDecision(providerSessionId, verificationId) {
      const decision = await pollSession(providerSessionId, verificationId)
      return typeof decision === 'string' ? undefined : decision
    },

    // Deletions are few, and their queue says what became of them.
    async deleteSession(providerSessionId) {
      const response = await send(
        {
          method: 'DELETE',
          path: `${sessions}/${encodeURIComponent(providerSessionId)}`,
          signedText: providerSessionId,
          handled: [400, 404, 429],
        },
        deleted => deleted,
      )
      const rejection = readRejection(response)
      if (rejection) throw new DeletionRejected(rejection)
      if (response.status === 400) throw unexpectedResponse(response, clock())
      if (response.status !== 404) {
        parseResponse(response, deletedSession)
        return 'deleted'
      }
      // An integration for which deletion is not enabled may not have the route, so 404 alone proves nothing.
      return await send(decisionRequest(providerSessionId), polled => {
        if (isUnknownSession(polled)) return 'unknown'
        if (isGone(polled)) throw unexpectedResponse(polled, clock())
        parseResponse(polled, polledSession)
        throw new DeletionRejected('not_enabled')
      })
    },

    secretInUse: sender.secretInUse,
    close: sender.close,
  }
}

interface Call extends SignedRequest {
  /** What it's counted as, if it is. */
  call?: Parameters<ObserveCall>[0]
}

/** Why a deletion was refused; undefined for other responses. */
function readRejection(response: VeriffResponse): DeletionRejection | undefined {
  if (response.status === 429) return 'rate_limited'
  return response.status === 400 ? rejections[readErrorCode(response) ?? ''] : undefined
}

const rejections: Record<string, DeletionRejection> = {
  1301: 'not_enabled',
  1305: 'in_progress',
  1306: 'in_progress',
}

const createdSession = z.object({
  verification: z.object({
    id: identifier,
    url: z.url({ protocol: /^https?$/, normalize: true }),
    vendorData: z.string().nullish(),
  }),
})

const deletedSession = z.object({ status: z.literal('success') })

const polledSession = z.object({ verification: z.object({}).nullable() })
