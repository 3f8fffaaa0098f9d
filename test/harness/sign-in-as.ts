import { createHash, randomBytes } from 'node:crypto'

export interface SignInClient {
  clientId: string
  redirectUri: string
}

/** An access token for the subject, through the provider's real flow: its page, a code, and PKCE. */
export async function signInAs(issuer: string, options: SignInClient & { subject: string }): Promise<string> {
  const { code, codeVerifier } = await authorize(issuer, { ...options, browser: openBrowser() })
  const response = await redeemCode(issuer, { ...options, code, codeVerifier })
  const body = (await response.json()) as { access_token?: string }
  if (!body.access_token) throw new Error(`The provider gave no token: ${JSON.stringify(body)}`)
  return body.access_token
}

/** A cookie jar, and requests with its cookies, like those of one browser. */
export interface Browser {
  cookies: Map<string, string>
  fetch(address: string, init?: RequestInit): Promise<Response>
}

export function openBrowser(): Browser {
  const cookies = new Map<string, string>()
  return {
    cookies,
    async fetch(address, init) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const response = await fetch(address, {
        redirect: 'manual',
        ...init,
        headers: { ...init?.headers, cookie },
      })
      for (const line of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        if (value === '') cookies.delete(name)
        else cookies.set(name, value)
      }
      return response
    },
  }
}

export interface AuthorizeOptions extends SignInClient {
  browser: Browser
  /** The subject to enter on the sign-in page. Without it, the page must not be shown. */
  subject?: string
  /** Further parameters of the authorization request. */
  parameters?: Record<string, string>
}

/** Follows the redirects from the authorization request to the redirect URI. Returns the parameters of the latter. */
export async function authorize(issuer: string, options: AuthorizeOptions) {
  const { browser, clientId, redirectUri, subject } = options
  const codeVerifier = randomBytes(32).toString('base64url')
  const parameters = new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid profile email',
    code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...options.parameters,
  })
  let address = `${issuer}/auth?${parameters}`
  while (!address.startsWith(redirectUri)) {
    let response = await browser.fetch(address)
    if (response.status === 200 && subject !== undefined) {
      response = await browser.fetch(address, { method: 'POST', body: new URLSearchParams({ subject }) })
    }
    const next = response.headers.get('location')
    if (next === null) throw new Error(`The sign-in stopped at ${response.status}: ${await response.text()}`)
    address = new URL(next, address).href
  }
  const returned = new URL(address).searchParams
  return { codeVerifier, code: returned.get('code') ?? '', error: returned.get('error') }
}

/** Sends the code to the token endpoint, as the dashboard does. */
export async function redeemCode(
  issuer: string,
  options: SignInClient & { code: string; codeVerifier: string },
): Promise<Response> {
  return await fetch(`${issuer}/token`, {
    method: 'POST',
    headers: { origin: new URL(options.redirectUri).origin },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: options.clientId,
      redirect_uri: options.redirectUri,
      code: options.code,
      code_verifier: options.codeVerifier,
    }),
  })
}
