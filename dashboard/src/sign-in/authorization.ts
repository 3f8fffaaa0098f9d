import {
  calculatePKCECodeChallenge,
  generateRandomCodeVerifier,
  generateRandomNonce,
  generateRandomState,
} from 'oauth4webapi'
import type { Config } from '../config.ts'
import type { IssuerMetadata } from './issuer.ts'

/** The redirect URI, which must be registered with the provider. */
export const callbackPath = '/dashboard/sign-in/callback'

/** An authorization request without its response yet. Whoever has the code also needs this to get tokens for it. */
export interface Authorization {
  url: string
  state: string
  nonce: string
  codeVerifier: string
  metadata: IssuerMetadata
}

interface Options {
  /** Fails instead of asking the user anything. */
  silent?: boolean
  /** For an issuer that refused to give the client refresh tokens. */
  withoutOfflineAccess?: boolean
}

/** Authorization code flow with PKCE. */
export async function createAuthorization(
  { clientId, audience, scope: ownScope }: Config,
  metadata: IssuerMetadata,
  { silent = false, withoutOfflineAccess = false }: Options = {},
): Promise<Authorization> {
  const state = generateRandomState()
  const nonce = generateRandomNonce()
  const codeVerifier = generateRandomCodeVerifier()
  const url = new URL(metadata.authorization_endpoint)
  const offline = !withoutOfflineAccess && metadata.scopes_supported?.includes('offline_access')
  const parameters = {
    client_id: clientId,
    redirect_uri: redirectUri(),
    response_type: 'code',
    scope: ['openid profile email', offline && 'offline_access', ownScope].filter(Boolean).join(' '),
    state,
    nonce,
    code_challenge: await calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
    audience,
    ...resourceOf(audience),
    ...(silent && { prompt: 'none' }),
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return { url: url.href, state, nonce, codeVerifier, metadata }
}

export function redirectUri(): string {
  return `${window.location.origin}${callbackPath}`
}

/** Providers read the audience from RFC 8707's `resource`, which must be a URI, or from a proprietary `audience`. */
export function resourceOf(audience: string): Record<string, string> {
  return URL.canParse(audience) ? { resource: audience } : {}
}
