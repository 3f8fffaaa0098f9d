import { Pool } from 'undici'
import { z } from 'zod'
import { type Clock, type IdentityProvider, ProviderUnavailable } from '#domain/ports.ts'
import { answerBytesMax, exchange, parseAnswer, type Question } from './exchange.ts'
import { identifier } from './payload-fields.ts'
import { readResult } from './read-result.ts'
import { assertCredentials, isSigned, isTrulySigned, signature, type VeriffCredentials } from './signature.ts'

export interface VeriffClientOptions extends VeriffCredentials {
  /** The integration's base URL, with or without `/v1`. */
  baseUrl: string
  /** For one call, from connecting to the answer's last byte. */
  deadlineMs?: number
  /** Stands in for a decision time that Veriff leaves out. */
  clock?: Clock
}

/** Veriff's API, spoken over connections of its own that are kept alive until `close`. */
export function createVeriffClient({
  baseUrl,
  deadlineMs = 10_000,
  clock = () => new Date(),
  ...credentials
}: VeriffClientOptions): IdentityProvider & { close(): Promise<void> } {
  assertCredentials(credentials)
  const url = new URL(baseUrl)
  const sessions = `${url.pathname.replace(/\/+$/, '').replace(/\/v1$/, '')}/v1/sessions`
  const pool = new Pool(url.origin, {
    allowH2: false, // the limit on the answer's size holds for HTTP/1.1 only
    connect: { timeout: deadlineMs },
    connections: 512, // what is asked beyond that waits, within its deadline
    maxResponseSize: answerBytesMax,
  })

  async function ask(question: Omit<Question, 'headers'>, signed: string) {
    const headers = {
      'content-type': 'application/json',
      'x-auth-client': credentials.apiKey,
      'x-hmac-signature': signature(signed, credentials.sharedSecrets[0] ?? ''),
    }
    const answer = await exchange(pool, { ...question, headers }, deadlineMs)
    // Not every integration's answers are signed; for those without a signature the connection vouches.
    if (isSigned(answer.headers) && !isTrulySigned(answer.headers, answer.body, credentials.sharedSecrets)) {
      throw new ProviderUnavailable('Veriff answered with a wrong signature')
    }
    return answer
  }

  return {
    async createSession({ verificationId, callback }) {
      const body = JSON.stringify({ verification: { callback, vendorData: verificationId } })
      const answer = await ask({ method: 'POST', path: sessions, body }, body)
      const { verification } = parseAnswer(answer, createdSession)
      return { providerSessionId: verification.id, sessionUrl: verification.url }
    },

    async fetchDecision(providerSessionId) {
      const path = `${sessions}/${encodeURIComponent(providerSessionId)}/decision`
      const answer = await ask({ method: 'GET', path, missingIsAnswer: true }, providerSessionId)
      if (answer.status === 404) return undefined
      const { verification } = parseAnswer(answer, decision)
      if (verification === null) return undefined
      if (verification.id !== providerSessionId) {
        throw new ProviderUnavailable('Veriff answered with the decision of another session')
      }
      return readResult({ verification }, clock())
    },

    // Whoever closes has stopped asking; an exchange that is still going on fails at once.
    close: () => pool.destroy(),
  }
}

const createdSession = z.object({
  verification: z.object({ id: identifier, url: z.url({ protocol: /^https?$/, normalize: true }) }),
})

/** Null until there is a decision. Loose, because `readResult` reads on. */
const decision = z.object({ verification: z.looseObject({ id: identifier, status: z.string() }).nullable() })
