import type { Context, Next } from 'koa'
import {
  type Account,
  type AdapterFactory,
  type Configuration,
  type ErrorOut,
  errors,
  type JWK,
  type KoaContextWithOIDC,
  type ResourceServer,
} from 'oidc-provider'
// @ts-expect-error The types do not declare the adapter, which is the default, and warns only then.
import { createMemoryAdapter } from 'oidc-provider/lib/adapters/memory_adapter.js'
import { sendMessage } from '#server/pages/html/simple-page.ts'
import { frame } from './pages.ts'
import type { SignInKeys, SignInOptions, SignInUser } from './sign-in-options.ts'

/** The resource indicator of the console API: it must be a URI, unlike the audience of its tokens. */
const apiResource = 'urn:sign-in:api'

/** Without `form_post`, which would put the code into a page. */
const responseModes = ['query']

const hourSeconds = 3_600
const daySeconds = 86_400

/** Sets every option whose default the provider would warn about on the terminal. */
export function providerConfiguration(options: SignInOptions, keys: SignInKeys, port: number): Configuration {
  return {
    // After a restart, users sign in again.
    adapter: createMemoryAdapter() as AdapterFactory,
    clients: [
      {
        client_id: options.clientId,
        client_name: 'Dashboard',
        redirect_uris: options.redirectUris,
        post_logout_redirect_uris: options.postLogoutRedirectUris,
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        response_modes: responseModes,
        id_token_signed_response_alg: 'ES256',
        // 'native' would require consent at every sign-in.
        application_type: 'web',
      },
    ],
    jwks: { keys: [keys.signingKey as JWK] },
    cookies: { keys: [keys.cookieKey], names: cookieNames(port) },
    findAccount: (_ctx, subject) => findAccount(subject, options.users),
    claims: { openid: ['sub'], profile: ['name'], email: ['email', 'email_verified'] },
    // The dashboard reads the name from the ID token: its access token is not valid for the userinfo endpoint.
    conformIdTokenClaims: false,
    clientBasedCORS: (_ctx, origin) => options.dashboardOrigins.includes(origin),
    // Like Keycloak and others: without the scope offline_access and its consent.
    issueRefreshToken: (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    interactions: { url: (_ctx, interaction) => `/sign-in/${interaction.uid}` },
    loadExistingGrant: grantAllScopes,
    renderError: showError,
    features: {
      devInteractions: { enabled: false },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => apiResource,
        useGrantedResource: () => true,
        getResourceServerInfo: (_ctx, resource) => resourceServer(resource, options.audience),
      },
      rpInitiatedLogout: {
        enabled: true,
        // See start-sign-in.ts: nobody sees the confirmation.
        logoutSource: () => {},
        postLogoutSuccessSource: ctx =>
          sendMessage(ctx, frame(), 'Signed out', 'You are signed out. You can close this page.'),
      },
    },
    ttl: {
      AccessToken: hourSeconds,
      AuthorizationCode: 60,
      IdToken: hourSeconds,
      Interaction: hourSeconds,
      RefreshToken: 14 * daySeconds,
      Session: 14 * daySeconds,
      Grant: 14 * daySeconds,
    },
  }
}

/** Corrects the discovery document, which lists every mode that the provider knows. */
export async function listResponseModes(ctx: Context, next: Next): Promise<void> {
  await next()
  const { oidc } = ctx as unknown as Partial<KoaContextWithOIDC>
  if (oidc?.route !== 'discovery') return
  ctx.body = { ...(ctx.body as object), response_modes_supported: responseModes }
}

function resourceServer(resource: string, audience: string): ResourceServer {
  if (resource !== apiResource && resource !== audience) throw new errors.InvalidTarget()
  return {
    audience,
    scope: '',
    accessTokenFormat: 'jwt',
    accessTokenTTL: hourSeconds,
    jwt: { sign: { alg: 'ES256' } },
  }
}

/** Every subject has an account; the name of one that is not among the offered users is its subject. */
function findAccount(subject: string, users: SignInUser[]): Account {
  const user = users.find(offered => offered.subject === subject)
  const email = user?.email ?? (subject.includes('@') ? subject : undefined)
  return {
    accountId: subject,
    claims: () => ({
      sub: subject,
      name: user?.name ?? subject,
      ...(email && { email, email_verified: true }),
    }),
  }
}

/** Grants all scopes without a consent page. A session has one grant, so that what one tab got stays valid. */
async function grantAllScopes({ oidc }: KoaContextWithOIDC) {
  const { clientId } = oidc.client!
  const accountId = oidc.session!.accountId!
  const grantId = oidc.session!.grantIdFor(clientId)
  const existing = grantId === undefined ? undefined : await oidc.provider.Grant.find(grantId)
  if (existing?.accountId === accountId) return existing
  const grant = new oidc.provider.Grant({ clientId, accountId })
  grant.addOIDCScope('openid profile email')
  await grant.save()
  return grant
}

/** Shown for an invalid request that cannot redirect to the dashboard, for example with an unknown redirect URI. */
function showError(ctx: KoaContextWithOIDC, { error, error_description }: ErrorOut): void {
  const reason = error_description ? `${error_description} (${error})` : error
  sendMessage(ctx, frame(), 'Sign-in failed', `The request is invalid: ${reason}.`)
}

/** Browsers share cookies between ports: without distinct names, two services on one machine would sign each other out. */
function cookieNames(port: number) {
  return { session: `sign_in_${port}`, interaction: `sign_in_page_${port}`, resume: `sign_in_resume_${port}` }
}
