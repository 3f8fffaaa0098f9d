import { generateRandomState } from 'oauth4webapi'
import type { Config } from '../config.ts'
import { type Authorization, createAuthorization } from './authorization.ts'
import type { IssuerMetadata } from './issuer.ts'
import { isOfflineAccessRefused } from './silent-sign-in.ts'
import type { Tokens } from './tokens.ts'

/** The post-logout redirect URI, which must be registered with the provider. */
export const homePath = '/dashboard/'

/** Where the user was when the page left for the sign-in. */
interface PendingSignIn extends Authorization {
  path: string
  historyState: unknown
}

/** The session storage holds the code verifiers of sign-ins in progress. Each can be used only once. */
const pendingKey = 'age-verification.pending-sign-in'

/** Leaves for the issuer, which redirects back. Back then leads to the page before, not into another sign-in. */
export async function redirectToSignIn(config: Config, metadata: IssuerMetadata): Promise<void> {
  const options = { withoutOfflineAccess: isOfflineAccessRefused() }
  const authorization = await createAuthorization(config, metadata, options)
  const { pathname, search, hash } = window.location
  const pending: PendingSignIn = {
    ...authorization,
    path: `${pathname}${search}${hash}`,
    historyState: window.history.state,
  }
  sessionStorage.setItem(pendingKey, JSON.stringify(pending))
  window.location.replace(authorization.url)
}

/** Takes the sign-in that a response belongs to, if this tab left for it. */
export function takePendingSignIn(response: URLSearchParams): PendingSignIn | undefined {
  const stored: PendingSignIn | null = JSON.parse(sessionStorage.getItem(pendingKey) ?? 'null')
  if (stored === null || stored.state !== response.get('state')) return undefined
  sessionStorage.removeItem(pendingKey)
  return stored
}

/** Restores the page that the user left, with its history entry's state. */
export function returnTo({ path, historyState }: PendingSignIn): void {
  window.history.replaceState(historyState, '', path)
}

const signOutKey = 'age-verification.sign-out'

/** Ends the user's session at the issuer, if it supports that, and comes back to the page of those who are signed out. */
export function redirectToSignOut(config: Config, metadata: IssuerMetadata, { idToken }: Tokens): void {
  const state = generateRandomState()
  sessionStorage.setItem(signOutKey, state)
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
