import type { User, UserManager } from 'oidc-client-ts'
import { beginSignIn } from './begin-sign-in.ts'
import type { SignIn } from './sign-in-context.ts'

export function createSignIn(manager: UserManager, { profile }: User): SignIn {
  return {
    name: profile.name ?? profile.preferred_username ?? profile.email ?? profile.sub,
    email: profile.email,
    subject: profile.sub,
    accessToken: () => accessToken(manager),
    signInAgain: () => beginSignIn(manager),
    signOut: () => manager.signoutRedirect({ state: { signedOut: true } }),
  }
}

async function accessToken(manager: UserManager): Promise<string | undefined> {
  const user = await manager.getUser()
  if (user && !user.expired) return user.access_token
  const renewed = await manager.signinSilent().catch(() => null)
  return renewed?.access_token
}
