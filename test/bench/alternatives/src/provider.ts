import { createHmac, timingSafeEqual } from 'node:crypto'
import { config } from './config.ts'

export interface ProviderSession {
  id: string
  url: string
}

export async function createSession(verificationId: string): Promise<ProviderSession> {
  const { baseUrl, apiKey, sharedSecret } = config.veriff
  const body = JSON.stringify({ verification: { vendorData: verificationId } })
  const response = await fetch(`${baseUrl}/v1/sessions`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-auth-client': apiKey,
      'x-hmac-signature': createHmac('sha256', sharedSecret).update(body).digest('hex'),
    },
    body,
    signal: AbortSignal.timeout(10_000),
  })
  if (!response.ok) throw new Error(`The provider responded ${response.status}`)
  const { verification } = (await response.json()) as { verification: ProviderSession }
  return verification
}

export function isSigned(body: Buffer, signature: string): boolean {
  const expected = createHmac('sha256', config.veriff.sharedSecret).update(body).digest()
  const given = Buffer.from(signature, 'hex')
  return given.length === expected.length && timingSafeEqual(given, expected)
}
