import { InMemoryWebStorage, UserManager, WebStorageStateStore } from 'oidc-client-ts'
import type { Config } from '../config/config.ts'

export const callbackPath = '/dashboard/sign-in/callback'
/** Where the provider sends a user who has signed out; a registered address, so it is the dashboard's own. */
export const homePath = '/dashboard/'

/**
 * Authorization code with PKCE. Tokens live in memory only and end with the page; what waits in the session
 * storage is the verifier of a sign-in under way, which is worth nothing once it has been used.
 */
export function createUserManager({ issuer, clientId, audience }: Config): UserManager {
  const { origin, sessionStorage } = window
  return new UserManager({
    authority: issuer,
    client_id: clientId,
    redirect_uri: `${origin}${callbackPath}`,
    silent_redirect_uri: `${origin}${callbackPath}`,
    post_logout_redirect_uri: `${origin}${homePath}`,
    response_type: 'code',
    scope: 'openid profile email',
    ...audienceParameters(audience),
    userStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
    stateStore: new WebStorageStateStore({ store: sessionStorage }),
    automaticSilentRenew: true,
    loadUserInfo: false,
  })
}

/** Providers ask for an audience by RFC 8707's `resource`, which must be a URI, or by a parameter of their own. */
function audienceParameters(audience: string) {
  const extraQueryParams = { audience }
  if (!URL.canParse(audience)) return { extraQueryParams }
  return { extraQueryParams, resource: audience, extraTokenParams: { resource: audience } }
}
