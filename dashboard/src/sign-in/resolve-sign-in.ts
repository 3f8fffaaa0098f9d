import type { User, UserManager } from 'oidc-client-ts'
import { beginSignIn, returnPlace } from './begin-sign-in.ts'
import { callbackPath, homePath } from './user-manager.ts'

export type Arrival =
  | { kind: 'signed-in'; user: User }
  | { kind: 'signed-out' }
  | { kind: 'leaving' }
  /** This page is the hidden frame of a silent renewal. */
  | { kind: 'renewal' }

/** What to do when the page loads, by its address. Throws if the provider is away or refuses. */
export async function arrive(manager: UserManager): Promise<Arrival> {
  const { pathname } = window.location
  if (pathname === homePath && (await comesFromSignOut(manager))) return { kind: 'signed-out' }
  if (pathname !== callbackPath) {
    await beginSignIn(manager)
    return { kind: 'leaving' }
  }
  if (window.parent !== window) {
    await manager.signinSilentCallback()
    return { kind: 'renewal' }
  }
  const user = await manager.signinRedirectCallback()
  window.history.replaceState(null, '', returnPlace(user.state))
  return { kind: 'signed-in', user }
}

/** The provider gives back the state of the sign-out that this tab began. */
async function comesFromSignOut(manager: UserManager): Promise<boolean> {
  if (!new URLSearchParams(window.location.search).has('state')) return false
  const answer = await manager.signoutRedirectCallback().catch(() => undefined)
  window.history.replaceState(null, '', homePath)
  return answer !== undefined
}
