import type { UserManager } from 'oidc-client-ts'

/** Leaves for the sign-in provider, which sends the user back to where they are now. */
export function beginSignIn(manager: UserManager, returnTo: string = currentPlace()): Promise<void> {
  return manager.signinRedirect({ state: { returnTo } })
}

/** Only paths of the dashboard: what comes back from the storage must not lead elsewhere. */
export function returnPlace(state: unknown): string {
  const place =
    state !== null && typeof state === 'object' && 'returnTo' in state ? state.returnTo : undefined
  return typeof place === 'string' && /^\/dashboard(\/|$)/.test(place) ? place : '/dashboard/'
}

function currentPlace(): string {
  const { pathname, search, hash } = window.location
  return `${pathname}${search}${hash}`
}
