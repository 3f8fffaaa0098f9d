import type { User, UserManager } from 'oidc-client-ts'
import { callbackPath, homePath } from './user-manager.ts'

export type SignInResult =
  | { kind: 'signed-in'; user: User }
  | { kind: 'signed-out' }
  | { kind: 'redirecting' }
  /** The page runs in the hidden frame of a silent renewal. */
  | { kind: 'silent-renewal' }

/** Starts or completes the sign-in when the page loads. Throws if the provider is unreachable or returns an error. */
export async function resolveSignIn(manager: UserManager): Promise<SignInResult> {
  const { pathname } = window.location
  if (pathname === homePath && (await isSignOutCallback(manager))) return { kind: 'signed-out' }
  if (pathname !== callbackPath) {
    await redirectToSignIn(manager)
    return { kind: 'redirecting' }
  }
  if (window.parent !== window) {
    await manager.signinSilentCallback()
    return { kind: 'silent-renewal' }
  }
  const user = await manager.signinRedirectCallback()
  window.history.replaceState(null, '', returnPath(user.state))
  return { kind: 'signed-in', user }
}

/** The provider redirects back to the current page afterwards. */
export function redirectToSignIn(manager: UserManager): Promise<void> {
  const { pathname, search, hash } = window.location
  return manager.signinRedirect({ state: { returnTo: `${pathname}${search}${hash}` } })
}

/** The provider returns the state of the sign-out that this tab started. */
async function isSignOutCallback(manager: UserManager): Promise<boolean> {
  if (!new URLSearchParams(window.location.search).has('state')) return false
  const response = await manager.signoutRedirectCallback().catch(() => undefined)
  window.history.replaceState(null, '', homePath)
  return response !== undefined
}

/** Accepts only paths of the dashboard, to prevent open redirects. */
function returnPath(state: unknown): string {
  const path = state !== null && typeof state === 'object' && 'returnTo' in state ? state.returnTo : undefined
  return typeof path === 'string' && /^\/dashboard(\/|$)/.test(path) ? path : homePath
}
