import type { Config } from '../config.ts'

/** What the dashboard needs of the issuer's discovery document. */
export interface IssuerMetadata {
  issuer: string
  authorization_endpoint: string
  token_endpoint: string
  end_session_endpoint?: string
  revocation_endpoint?: string
  scopes_supported?: string[]
}

/** No response, one that took too long, or a server error: the same request may succeed later. */
export class IssuerUnreachable extends Error {}

/** An error response of OAuth 2.0: the same request fails again. */
export class IssuerRefused extends Error {
  /** Such as `login_required` or `access_denied`. */
  readonly code: string

  constructor(code: string, description?: string | null) {
    super(description ? `${description} (${code})` : code)
    this.code = code
  }
}

const timeoutMs = 10_000

/** Throws `IssuerUnreachable`, or an error if the document is another issuer's. */
export async function discover({ issuer }: Config): Promise<IssuerMetadata> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const metadata = (await request(url)) as IssuerMetadata
  if (metadata.issuer !== issuer)
    throw new Error(`The sign-in provider is ${metadata.issuer}, not ${issuer}.`)
  return metadata
}

/** Posts a form as the public client. Resolves to the response's JSON. */
export function post(url: string, config: Config, form: Record<string, string>): Promise<unknown> {
  return request(url, {
    method: 'POST',
    keepalive: true,
    body: new URLSearchParams({ client_id: config.clientId, ...form }),
  })
}

async function request(url: string, init: RequestInit = {}): Promise<unknown> {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(timeoutMs) }).catch(
    () => undefined,
  )
  if (!response) throw new IssuerUnreachable('The sign-in provider did not respond.')
  const body = await response.json().catch(() => undefined)
  if (response.ok) return body
  if (response.status < 500 && response.status !== 429 && typeof body?.error === 'string')
    throw new IssuerRefused(body.error, body.error_description)
  throw new IssuerUnreachable(`The sign-in provider responded with HTTP status ${response.status}.`)
}
