import { randomUUID } from 'node:crypto'
import { decisionCodes } from '#server/providers/test-provider/session.ts'
import { signature } from '#server/providers/veriff/signature.ts'
import { stored } from './stored.ts'
import { type ApiResponse, call } from './tenant-client.ts'
import type { TestService } from './test-service.ts'

/** Identifies the session that a callback is about. */
export interface ProviderSession {
  sessionId: string
  vendorData: string
}

export interface CallbackOptions {
  /** Replaces the valid headers. */
  headers?: Record<string, string>
  secret?: string
  apiKey?: string
}

/** Sends a callback like the provider, with a signature over its exact bytes. */
export function sendCallback(
  service: TestService,
  body: unknown,
  { headers, secret, apiKey }: CallbackOptions = {},
): Promise<ApiResponse> {
  const raw = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body)
  return call(`${service.baseUrl}/verify/callback`, {
    method: 'POST',
    raw,
    headers: headers ?? {
      'content-type': 'application/json',
      'x-auth-client': apiKey ?? service.veriff.apiKey,
      'x-hmac-signature': signature(raw, secret ?? service.veriff.sharedSecret),
    },
  })
}

/** The provider's session of a verification. */
export async function sessionOf(service: TestService, verificationId: string): Promise<ProviderSession> {
  const [row] = await stored<{ sessionId: string }>(
    service,
    'select provider_session_id as "sessionId" from verification where id = $1',
    [verificationId],
  )
  return { sessionId: row!.sessionId, vendorData: verificationId }
}

/** A decision webhook about a session. `fields` replaces its fields. */
export function decisionOn(
  { sessionId, vendorData }: ProviderSession,
  status: string,
  fields: Record<string, unknown> = {},
): { status: string; verification: Record<string, unknown> } {
  return {
    status: 'success',
    verification: {
      id: sessionId,
      vendorData,
      status,
      attemptId: randomUUID(),
      code: (decisionCodes as Record<string, number>)[status] ?? null,
      reasonCode: null,
      decisionTime: new Date().toISOString(),
      person: { firstName: 'ANNA', lastName: 'EXAMPLE', dateOfBirth: '1990-02-03' },
      ...fields,
    },
  }
}

/** An event webhook about a session. Codes: 7001 started, 7002 submitted. */
export function eventOn(
  { sessionId, vendorData }: ProviderSession,
  code: number,
  fields: Record<string, unknown> = {},
): Record<string, unknown> {
  return { id: sessionId, vendorData, code, attemptId: randomUUID(), feature: 'selfid', ...fields }
}
