import {
  calculatePKCECodeChallenge,
  generateRandomCodeVerifier,
  generateRandomNonce,
  generateRandomState,
} from 'oauth4webapi'
import { parse } from '../components/foreign-response.ts'
import { store } from '../components/store.ts'
import type { Config, IssuerMetadata } from '../config.ts'

/** The redirect URI and the post-logout redirect URI, which must be registered with the provider. */
export const callbackPath = '/dashboard/sign-in/callback'
export const homePath = '/dashboard/'

/** An authorization request without its response yet. Whoever has the code also needs this to get tokens for it. */
export interface Authorization {
  url: string
  state: string
  nonce: string
  codeVerifier: string
  metadata: IssuerMetadata
}

/** Authorization code flow with PKCE. If `silent`, the issuer fails instead of asking the user anything. */
export async function createAuthorization(
  { clientId, audience, scope: ownScope }: Config,
  metadata: IssuerMetadata,
  { silent = false } = {},
): Promise<Authorization> {
  const state = generateRandomState()
  const nonce = generateRandomNonce()
  const codeVerifier = generateRandomCodeVerifier()
  const url = new URL(metadata.authorization_endpoint)
  const offline = !isOfflineAccessRefused() && metadata.scopes_supported?.includes('offline_access')
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
    ...toResource(audience),
    ...(silent && { prompt: 'none' }),
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return { url: url.href, state, nonce, codeVerifier, metadata }
}

export function redirectUri(): string {
  return `${window.location.origin}${callbackPath}`
}

/** Providers read the audience from RFC 8707's `resource`, which must be a URI, or from a proprietary `audience`. */
export function toResource(audience: string): Record<string, string> {
  return URL.canParse(audience) ? { resource: audience } : {}
}

const offlineAccessKey = 'age-verification.no-offline-access'

/** Whether this issuer refuses to give the dashboard's client refresh tokens. */
function isOfflineAccessRefused(): boolean {
  return sessionStorage.getItem(offlineAccessKey) !== null
}

/** Returns true if the request is worth repeating without the scope. */
export function refuseOfflineAccess(code: string): boolean {
  if (code !== 'invalid_scope' || isOfflineAccessRefused()) return false
  return store(sessionStorage, offlineAccessKey, 'true')
}

/** Where the user was when the page left for the sign-in. */
interface PendingSignIn extends Authorization {
  path: string
  historyState: unknown
}

/** The session storage holds the code verifiers of sign-ins in progress. Each can be used only once. */
const pendingKey = 'age-verification.pending-sign-in'

/**
 * Leaves for the issuer, which redirects back. Throws a `QuotaExceededError` where the storage is full. Back then leads to the page before, not into
 * another sign-in.
 */
export async function redirectToSignIn(config: Config, metadata: IssuerMetadata): Promise<void> {
  const authorization = await createAuthorization(config, metadata)
  const { pathname, search, hash } = window.location
  const pending: PendingSignIn = {
    ...authorization,
    path: `${pathname}${search}${hash}`,
    historyState: window.history.state,
  }
  sessionStorage.setItem(pendingKey, JSON.stringify(pending))
  window.location.replace(authorization.url)
}

/** Takes the sign-in that a response belongs to, if this tab left for it, and restores the page that it left. */
export function takePendingSignIn(response: URLSearchParams): Authorization | undefined {
  const stored = parse(sessionStorage.getItem(pendingKey) ?? '') as PendingSignIn | null | undefined
  if (!stored?.codeVerifier || stored.state !== response.get('state')) return undefined
  sessionStorage.removeItem(pendingKey)
  window.history.replaceState(stored.historyState, '', stored.path)
  return stored
}

const signOutKey = 'age-verification.sign-out'

/** Ends the user's session at the issuer, if it supports that, and comes back to the page of those who are signed out. */
export function redirectToSignOut(config: Config, metadata: IssuerMetadata, idToken: string): void {
  const state = generateRandomState()
  store(sessionStorage, signOutKey, state)
  const back = `${window.location.origin}${homePath}`
  const url = new URL(metadata.end_session_endpoint ?? back)
  if (metadata.end_session_endpoint) {
    url.searchParams.set('id_token_hint', idToken)
    url.searchParams.set('client_id', config.clientId)
    url.searchParams.set('post_logout_redirect_uri', back)
  }
  url.searchParams.set('state', state)
  window.location.replace(url)
}

/** Whether the page was loaded after the sign-out that this tab started. */
export function isAfterSignOut(): boolean {
  const { pathname, search } = window.location
  const state = new URLSearchParams(search).get('state')
  if (pathname !== homePath || state === null || state !== sessionStorage.getItem(signOutKey)) return false
  sessionStorage.removeItem(signOutKey)
  window.history.replaceState(null, '', homePath)
  return true
}
