import {
  type Configuration,
  errors,
  type JWK,
  type KoaContextWithOIDC,
  type ResourceServer,
} from 'oidc-provider'
import { endSessionAtOnce, showSignedOut } from './end-session.ts'
import { findAccount } from './find-account.ts'
import { memoryStore } from './memory-store.ts'
import type { SignInOptions } from './options.ts'
import { showError } from './page/show-error.ts'
import type { SignInKeys } from './sign-in-keys.ts'

/** The one resource that tokens are for; a name of its own, as an audience need not be a URI, which this must be. */
const API = 'urn:sign-in:api'

const HOUR_SECONDS = 3_600
const DAY_SECONDS = 86_400

/** Everything is set that the provider would otherwise warn of on the terminal. */
export function providerConfiguration(options: SignInOptions, keys: SignInKeys, port: number): Configuration {
  return {
    adapter: memoryStore(),
    clients: [
      {
        client_id: options.clientId,
        client_name: 'Dashboard',
        redirect_uris: options.redirectUris,
        post_logout_redirect_uris: options.postLogoutRedirectUris,
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code'],
        response_types: ['code'],
        id_token_signed_response_alg: 'ES256',
        // 'native' would ask for consent every time.
        application_type: 'web',
      },
    ],
    jwks: { keys: [keys.signingKey as JWK] },
    cookies: { keys: [keys.cookieKey], names: cookieNames(port) },
    findAccount: (_ctx, subject) => findAccount(subject, options.users),
    claims: { openid: ['sub'], profile: ['name'], email: ['email', 'email_verified'] },
    // The dashboard shows the name from the ID token: its access token is for another audience than userinfo.
    conformIdTokenClaims: false,
    clientBasedCORS: (_ctx, origin) => options.dashboardOrigins.includes(origin),
    interactions: { url: (_ctx, interaction) => `/sign-in/${interaction.uid}` },
    loadExistingGrant: grantEverything,
    renderError: showError,
    features: {
      devInteractions: { enabled: false },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => API,
        useGrantedResource: () => true,
        getResourceServerInfo: (_ctx, resource) => describeApi(resource, options.audience),
      },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: endSessionAtOnce,
        postLogoutSuccessSource: showSignedOut,
      },
    },
    ttl: {
      AccessToken: HOUR_SECONDS,
      AuthorizationCode: 60,
      IdToken: HOUR_SECONDS,
      Interaction: HOUR_SECONDS,
      Session: 14 * DAY_SECONDS,
      Grant: 14 * DAY_SECONDS,
    },
  }
}

function describeApi(resource: string, audience: string): ResourceServer {
  if (resource !== API && resource !== audience) throw new errors.InvalidTarget()
  return {
    audience,
    scope: '',
    accessTokenFormat: 'jwt',
    accessTokenTTL: HOUR_SECONDS,
    jwt: { sign: { alg: 'ES256' } },
  }
}

/** There is nothing to consent to in development. */
async function grantEverything({ oidc }: KoaContextWithOIDC) {
  const grant = new oidc.provider.Grant({
    clientId: oidc.client!.clientId,
    accountId: oidc.session!.accountId!,
  })
  grant.addOIDCScope('openid profile email')
  await grant.save()
  return grant
}

/** A browser's cookies do not tell ports apart: two services on one machine would sign each other out. */
function cookieNames(port: number) {
  return { session: `sign_in_${port}`, interaction: `sign_in_page_${port}`, resume: `sign_in_resume_${port}` }
}
