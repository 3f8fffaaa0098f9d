import type { User, UserManager } from 'oidc-client-ts'
import { createContext, useContext } from 'react'
import { redirectToSignIn } from './resolve-sign-in.ts'

export interface SignIn {
  /** Display name from the provider. */
  name: string
  email: string | undefined
  subject: string
  /** A valid token, renewed if necessary; undefined if the session has expired. */
  accessToken: () => Promise<string | undefined>
  signInAgain: () => Promise<void>
  signOut: () => Promise<void>
}

export const SignInContext = createContext<SignIn | undefined>(undefined)

export function useSignIn(): SignIn {
  const signIn = useContext(SignInContext)
  if (!signIn) throw new Error('useSignIn must be used inside a SignInContext.')
  return signIn
}

export function createSignIn(manager: UserManager, { profile }: User): SignIn {
  return {
    name: profile.name ?? profile.preferred_username ?? profile.email ?? profile.sub,
    email: profile.email,
    subject: profile.sub,
    accessToken: () => accessToken(manager),
    signInAgain: () => redirectToSignIn(manager),
    signOut: () => manager.signoutRedirect({ state: { signedOut: true } }),
  }
}

async function accessToken(manager: UserManager): Promise<string | undefined> {
  const user = await manager.getUser()
  if (user && !user.expired) return user.access_token
  const renewed = await manager.signinSilent().catch(() => null)
  return renewed?.access_token
}
