import { randomBytes } from 'node:crypto'
import type { EventEmitter } from 'node:events'
import { exportJWK, generateKeyPair, type JWK } from 'jose'
import { Provider } from 'oidc-provider'
import { loadOrCreateSecret } from '../load-or-create-secret.ts'
import { type LocalServerOptions, listenLocally } from '../local-requests.ts'
import { endSession } from './end-session.ts'
import { addPages } from './pages.ts'
import { listResponseModes, providerConfiguration } from './provider-configuration.ts'

/** A user that the sign-in page offers. */
export interface SignInUser {
  /** The `sub` claim of the tokens. */
  subject: string
  name: string
  email: string
  /** The user's role, in a few words. */
  hint: string
}

export interface SignInOptions extends LocalServerOptions {
  /** The dashboard's public client. */
  clientId: string
  /** The `aud` claim of the access tokens. */
  audience: string
  redirectUris: string[]
  postLogoutRedirectUris: string[]
  /** Origins that CORS allows. */
  dashboardOrigins: string[]
  users: SignInUser[]
  /** Stores the signing keys across restarts; without it, each start generates new ones. */
  keysFile?: string
  /** Called with unexpected errors; an invalid request is not one. */
  onError?: (error: Error) => void
}

export interface SignInKeys {
  /** Signs the tokens: a private key for ES256. */
  signingKey: JWK
  /** Signs the cookies. */
  cookieKey: string
}

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
  const server = await listenLocally('The sign-in provider', { ...options, origins })
  const keys: SignInKeys = JSON.parse(
    keysFile === undefined ? await createKeys() : await loadOrCreateSecret(keysFile, createKeys),
  )
  const provider = new Provider(server.baseUrl, providerConfiguration(options, keys, server.port))
  provider.on('server_error', (_ctx, error) => onError(error))
  // The provider is a Koa application, but its types do not declare it.
  ;(provider as EventEmitter).on('error', onError)
  provider.use(listResponseModes)
  provider.use(endSession)
  addPages(provider, options)
  server.serve(provider.callback())
  return { issuer: server.baseUrl, close: server.close }
}

async function createKeys(): Promise<string> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  const kid = randomBytes(8).toString('hex')
  const signingKey = { ...(await exportJWK(privateKey)), alg: 'ES256', use: 'sig', kid }
  return JSON.stringify({ signingKey, cookieKey: randomBytes(32).toString('base64url') })
}
