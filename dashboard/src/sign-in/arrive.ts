import type { User, UserManager } from 'oidc-client-ts'
import { beginSignIn, returnPlace } from './begin-sign-in.ts'
import { callbackPath, signedOutPath } from './user-manager.ts'

export type Arrival =
  | { kind: 'signed-in'; user: User }
  | { kind: 'signed-out' }
  | { kind: 'leaving' }
  /** This page is the hidden frame of a silent renewal. */
  | { kind: 'renewal' }

/** What to do when the page loads, by its address. Throws if the provider is away or refuses. */
export async function arrive(manager: UserManager): Promise<Arrival> {
  const { pathname } = window.location
  if (pathname === signedOutPath) return { kind: 'signed-out' }
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
