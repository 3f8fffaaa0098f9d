import type { Clock } from '#domain/ports.ts'
import { invalidResponse, isSignatureRefused, unexpectedResponse } from './read-response.ts'
import {
  type Deadline,
  openConnections,
  sendRequest,
  type VeriffRequest,
  type VeriffResponse,
} from './send-request.ts'
import { hasValidSignature, isSigned, signature, type VeriffCredentials } from './signature.ts'

export interface SignedRequest extends Omit<VeriffRequest, 'headers'> {
  signedText: string
  /** Statuses that the caller handles, besides 200. */
  handled?: readonly number[]
}

export interface SenderOptions {
  origin: string
  credentials: VeriffCredentials
  /** For one call, however many requests it takes. */
  deadlineMs: number
  clock: Clock
}

/** Sends requests in the name of an integration. They throw `ProviderUnavailable` for a status that the caller doesn't handle. */
export function createSender({ origin, credentials, deadlineMs, clock }: SenderOptions) {
  const { apiKey, sharedSecrets } = credentials
  const connections = openConnections(origin, deadlineMs)
  let secretInUse = 0

  /** Tries each shared secret, while Veriff refuses the signature: it can be before or after its own rotation. */
  async function send({ handled = [], ...request }: SignedRequest): Promise<VeriffResponse> {
    const deadline = { ms: deadlineMs, signal: AbortSignal.timeout(deadlineMs) }
    const first = secretInUse
    for (let tries = 1; ; tries += 1) {
      const index = (first + tries - 1) % sharedSecrets.length
      const response = await sendOnce(request, sharedSecrets[index] ?? '', deadline)
      const isRefused = isSignatureRefused(response)
      if (isRefused && tries < sharedSecrets.length) continue
      const { status } = response
      const isExpected = !isRefused && (status === 200 || handled.includes(status))
      if (!isExpected) throw unexpectedResponse(response, clock())
      assertSignature(response)
      secretInUse = index
      return response
    }
  }

  function sendOnce({ signedText, ...request }: SignedRequest, sharedSecret: string, deadline: Deadline) {
    const headers = {
      'content-type': 'application/json',
      'x-auth-client': apiKey,
      'x-hmac-signature': signature(signedText, sharedSecret),
    }
    return sendRequest(connections, { ...request, headers }, deadline)
  }

  /**
   * Not every integration signs its responses. An unsigned one is authenticated by the TLS connection alone. What applied a
   * content coding can have done so before or after the signature.
   */
  function assertSignature({ headers, body, wireBody }: VeriffResponse): void {
    if (!isSigned(headers)) return
    if ([body, wireBody].some(bytes => hasValidSignature(headers, bytes, sharedSecrets))) return
    throw invalidResponse('a response with an invalid signature')
  }

  return {
    send,
    secretInUse: () => secretInUse,
    /** Requests in flight fail immediately: the caller no longer needs their responses. */
    async close() {
      await Promise.all([connections.kept.destroy(), connections.fresh.destroy()])
    },
  }
}
