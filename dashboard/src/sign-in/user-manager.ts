import { InMemoryWebStorage, UserManager, WebStorageStateStore } from 'oidc-client-ts'
import type { Config } from '../config.ts'

export const callbackPath = '/dashboard/sign-in/callback'
/** The post-logout redirect URI, which must be registered with the provider. */
export const homePath = '/dashboard/'

/**
 * Authorization code flow with PKCE. Tokens are stored in memory only. The session storage holds the code verifier
 * of a sign-in in progress, which can be used only once.
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

/** Providers read the audience from RFC 8707's `resource`, which must be a URI, or from a proprietary `audience`. */
function audienceParameters(audience: string) {
  const extraQueryParams = { audience }
  if (!URL.canParse(audience)) return { extraQueryParams }
  return { extraQueryParams, resource: audience, extraTokenParams: { resource: audience } }
}
