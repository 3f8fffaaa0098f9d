import type { IncomingHttpHeaders } from 'node:http'

export interface Forwarded {
  /** The program's status; 502 without a response. */
  status: number
  /** Why there is no response. */
  error: string | undefined
}

const responseMsMax = 30_000

/** Passes an event on: the same bytes, its content type and its `x-webhook-*` headers. */
export async function forwardEvent(
  url: string,
  headers: IncomingHttpHeaders,
  body: Buffer,
): Promise<Forwarded> {
  const kept = Object.entries(headers).filter(
    ([name]) => name === 'content-type' || name.startsWith('x-webhook-'),
  )
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: Object.fromEntries(kept.map(([name, value]) => [name, String(value)])),
      body: new Uint8Array(body),
      redirect: 'manual',
      signal: AbortSignal.timeout(responseMsMax),
    })
    await response.body?.cancel()
    return { status: response.status, error: undefined }
  } catch (error) {
    const { message, cause } = error as Error
    return { status: 502, error: cause instanceof Error && cause.message ? cause.message : message }
  }
}
