import { randomBytes } from 'node:crypto'
import type { EventEmitter } from 'node:events'
import { createServer } from 'node:http'
import { exportJWK, generateKeyPair } from 'jose'
import type { Context, Next } from 'koa'
import { type KoaContextWithOIDC, Provider } from 'oidc-provider'
import { loopback } from '../embedded-context.ts'
import { loadOrCreateSecret } from '../load-or-create-secret.ts'
import { acceptLocalRequests, listenLocally } from '../local-requests.ts'
import { addPages } from './pages.ts'
import { listResponseModes, providerConfiguration } from './provider-configuration.ts'
import type { SignInKeys, SignInOptions } from './sign-in-options.ts'

export interface SignIn {
  issuer: string
  close(): Promise<void>
}

/**
 * Starts the sign-in provider for development: real OpenID Connect (authorization code with PKCE), in which everyone
 * can sign in as any user. Only local requests and those of the dashboard are accepted. Throws a `StartError` if it cannot listen.
 */
export async function startSignIn(options: SignInOptions): Promise<SignIn> {
  const { dashboardOrigins: origins, keysFile, onError = console.error } = options
  const server = createServer()
  const { port, close } = await listenLocally('The sign-in provider', server, options.port)
  const issuer = `http://${loopback}:${port}`
  const keys: SignInKeys = JSON.parse(
    keysFile === undefined ? await createKeys() : await loadOrCreateSecret(keysFile, createKeys),
  )
  const provider = new Provider(issuer, providerConfiguration(options, keys, port))
  provider.on('server_error', (_ctx, error) => onError(error))
  // The provider is a Koa application, but its types do not declare it.
  ;(provider as EventEmitter).on('error', onError)
  provider.use(listResponseModes)
  provider.use(endSession)
  addPages(provider, options)
  server.on('request', acceptLocalRequests(provider.callback(), { ...options, origins }))
  return { issuer, close }
}

async function createKeys(): Promise<string> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  const kid = randomBytes(8).toString('hex')
  const signingKey = { ...(await exportJWK(privateKey)), alg: 'ES256', use: 'sig', kid }
  return JSON.stringify({ signingKey, cookieKey: randomBytes(32).toString('base64url') })
}

/**
 * Signs out without confirmation, and redirects to the dashboard. The provider's default is a confirmation page,
 * which protects against other sites signing users out: not needed in development.
 */
async function endSession(ctx: Context, next: Next): Promise<void> {
  await next()
  const { oidc } = ctx as unknown as Partial<KoaContextWithOIDC>
  if (oidc?.route !== 'end_session' || ctx.status !== 200) return
  const target = returnUrl(oidc)
  await oidc.session!.destroy()
  ctx.cookies.set(oidc.provider.cookieName('session'), null, { overwrite: true })
  ctx.status = 303
  ctx.redirect(target)
}

function returnUrl(oidc: KoaContextWithOIDC['oidc']): string {
  const state = oidc.session?.state as { postLogoutRedirectUri?: string; state?: string } | undefined
  if (!state?.postLogoutRedirectUri) return oidc.urlFor('end_session_success')
  const url = new URL(state.postLogoutRedirectUri)
  if (state.state !== undefined) url.searchParams.set('state', state.state)
  return url.href
}
