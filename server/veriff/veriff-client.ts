import { Pool } from 'undici'
import { z } from 'zod'
import {
  type Clock,
  DeletionRejected,
  type DeletionRejection,
  type IdentityProvider,
  ProviderUnavailable,
} from '#domain/ports.ts'
import { type Operation, traced } from '#domain/tracing.ts'
import { identifier } from './evaluate-decision.ts'
import type { ObserveCall } from './observe-provider.ts'
import { readResult } from './read-result.ts'
import {
  parseResponse,
  readErrorCode,
  responseBytesMax,
  sendRequest,
  unexpectedResponse,
  type VeriffRequest,
  type VeriffResponse,
} from './send-request.ts'
import {
  assertCredentials,
  hasValidSignature,
  isSigned,
  signature,
  type VeriffCredentials,
} from './signature.ts'

export interface VeriffClientOptions extends VeriffCredentials {
  /** The integration's base URL, with or without `/v1`. */
  baseUrl: string
  /** For one call, from connecting to the last byte of the response. */
  deadlineMs?: number
  /** Used when a decision has no time. */
  clock?: Clock
  /** The trace context that each request has in its header; null where nothing is traced. */
  traceparent?: () => string | null
  /** Counts the calls, except for deletions. */
  observe?: ObserveCall
}

/** A client of Veriff's API with a dedicated connection pool. Throws a `TypeError` for incomplete credentials. */
export function createVeriffClient({
  baseUrl,
  deadlineMs = 10_000,
  clock = () => new Date(),
  traceparent = () => null,
  observe = (_call, operation, work) => traced(operation, work),
  ...credentials
}: VeriffClientOptions): IdentityProvider & { close(): Promise<void> } {
  assertCredentials(credentials)
  const url = new URL(baseUrl)
  const sessions = `${url.pathname.replace(/\/+$/, '').replace(/\/v1$/, '')}/v1/sessions`
  const pool = new Pool(url.origin, {
    allowH2: false, // undici enforces `maxResponseSize` for HTTP/1.1 only
    connect: { timeout: deadlineMs },
    connections: 512, // further requests are queued, within their deadline
    maxResponseSize: responseBytesMax,
  })

  function send<Result>(
    { call, template, signedText, ...request }: Call,
    read: (response: VeriffResponse) => Result,
  ): Promise<Result> {
    const { method } = request
    const attributes: NonNullable<Operation['attributes']> = {
      'http.request.method': method,
      'server.address': url.hostname,
      'url.template': template,
    }
    const operation = { kind: 'provider', name: `${method} ${template}`, attributes } as const
    const work = async () => {
      const response = await sendSigned(request, signedText)
      attributes['http.response.status_code'] = response.status
      return read(response)
    }
    return call ? observe(call, operation, work) : traced(operation, work)
  }

  async function sendSigned(request: Omit<VeriffRequest, 'headers'>, signedText: string) {
    const context = traceparent()
    const headers = {
      'content-type': 'application/json',
      'x-auth-client': credentials.apiKey,
      'x-hmac-signature': signature(signedText, credentials.sharedSecrets[0] ?? ''),
      ...(context === null ? {} : { traceparent: context }),
    }
    const response = await sendRequest(pool, { ...request, headers }, deadlineMs)
    // Not every integration signs its responses. An unsigned one is authenticated by the TLS connection alone.
    const { body } = response
    if (isSigned(response.headers) && !hasValidSignature(response.headers, body, credentials.sharedSecrets)) {
      throw new ProviderUnavailable(
        'invalid_response',
        'Veriff returned a response with an invalid signature',
      )
    }
    return response
  }

  function decisionRequest(providerSessionId: string): Call {
    return {
      method: 'GET',
      path: `${sessions}/${encodeURIComponent(providerSessionId)}/decision`,
      template: '/v1/sessions/{sessionId}/decision',
      signedText: providerSessionId,
      handled: [404],
    }
  }

  return {
    name: 'veriff',
    async createSession({ verificationId, callback }) {
      const body = JSON.stringify({ verification: { callback, vendorData: verificationId } })
      const template = '/v1/sessions'
      const request = { method: 'POST', path: sessions, template, body, signedText: body } as const
      return await send({ call: 'create_session', ...request }, response => {
        const { verification } = parseResponse(response, createdSession)
        return { providerSessionId: verification.id, sessionUrl: verification.url }
      })
    },

    async fetchDecision(providerSessionId) {
      return await send({ call: 'fetch_decision', ...decisionRequest(providerSessionId) }, response => {
        if (response.status === 404) return undefined
        const { verification } = parseResponse(response, decision)
        if (verification === null) return undefined
        if (verification.id !== providerSessionId) {
          throw new ProviderUnavailable('invalid_response', 'Veriff returned the decision of another session')
        }
        return readResult({ verification }, clock())
      })
    },

    // Only the operator's command line deletes sessions, and it exports no metrics.
    async deleteSession(providerSessionId) {
      const response = await send(
        {
          method: 'DELETE',
          path: `${sessions}/${encodeURIComponent(providerSessionId)}`,
          template: '/v1/sessions/{sessionId}',
          signedText: providerSessionId,
          handled: [400, 404, 429],
        },
        deleted => deleted,
      )
      const rejection = readRejection(response)
      if (rejection) throw new DeletionRejected(rejection)
      if (response.status === 400) throw unexpectedResponse(response)
      if (response.status !== 404) return 'deleted'
      // An integration for which deletion is not enabled may not have the route, so 404 alone proves nothing.
      const status = await send(decisionRequest(providerSessionId), read => read.status)
      if (status === 404) return 'unknown'
      throw new DeletionRejected('not_enabled')
    },

    // Requests in flight fail immediately: the caller of `close` no longer needs their responses.
    close: () => pool.destroy(),
  }
}

interface Call extends Omit<VeriffRequest, 'headers'> {
  /** What it's counted as, if it is. */
  call?: Parameters<ObserveCall>[0]
  /** The path with names instead of ids. */
  template: string
  signedText: string
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
  verification: z.object({ id: identifier, url: z.url({ protocol: /^https?$/, normalize: true }) }),
})

/** Null while there is no decision. Loose, because `readResult` reads the other fields. */
const decision = z.object({ verification: z.looseObject({ id: identifier, status: z.string() }).nullable() })
