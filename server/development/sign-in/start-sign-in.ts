import { randomBytes } from 'node:crypto'
import type { EventEmitter } from 'node:events'
import { createServer, type Server } from 'node:http'
import { exportJWK, generateKeyPair, type JWK } from 'jose'
import { Provider } from 'oidc-provider'
import { StartError } from '../../start-error.ts'
import { loadOrCreateSecret } from '../load-or-create-secret.ts'
import { acceptLocalRequests } from '../local-requests.ts'
import { redirectAfterSignOut } from './end-session.ts'
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

export interface SignInOptions {
  host: string
  /** 0 picks a free port. */
  port: number
  /** The dashboard's public client. */
  clientId: string
  /** The `aud` claim of the access tokens. */
  audience: string
  redirectUris: string[]
  postLogoutRedirectUris: string[]
  /** Origins that CORS allows. */
  dashboardOrigins: string[]
  /** The service's public URL, whose host is accepted too. */
  publicUrl?: string
  users: SignInUser[]
  /** Stores the signing keys across restarts; without it, each start generates new ones. */
  keysFile?: string
  /** Called with unexpected errors; an invalid request is not one. */
  onError?: (error: Error) => void
}

export interface SignIn {
  issuer: string
  close(): Promise<void>
}

export interface SignInKeys {
  /** Signs the tokens: a private key for ES256. */
  signingKey: JWK
  /** Signs the cookies. */
  cookieKey: string
}

/**
 * Starts the sign-in provider for development: real OpenID Connect (authorization code with PKCE), in which everyone
 * can sign in as any user. Only local requests and those of the dashboard are accepted. Throws a `StartError` if it cannot listen.
 */
export async function startSignIn(options: SignInOptions): Promise<SignIn> {
  const { onError = console.error } = options
  const server = createServer()
  const port = await listen(server, options)
  const issuer = `http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${port}`
  const keys = await loadOrCreateKeys(options.keysFile)
  const provider = new Provider(issuer, providerConfiguration(options, keys, port))
  provider.on('server_error', (_ctx, error) => onError(error))
  // The provider is a Koa application, but its types do not declare it.
  ;(provider as EventEmitter).on('error', onError)
  provider.use(listResponseModes)
  provider.use(redirectAfterSignOut)
  addPages(provider, options)
  const { publicUrl, dashboardOrigins } = options
  server.on('request', acceptLocalRequests(provider.callback(), { publicUrl, origins: dashboardOrigins }))
  return { issuer, close: () => close(server) }
}

async function loadOrCreateKeys(file: string | undefined): Promise<SignInKeys> {
  return JSON.parse(file === undefined ? await createKeys() : await loadOrCreateSecret(file, createKeys))
}

async function createKeys(): Promise<string> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  const signingKey = {
    ...(await exportJWK(privateKey)),
    alg: 'ES256',
    use: 'sig',
    kid: randomBytes(8).toString('hex'),
  }
  return JSON.stringify({ signingKey, cookieKey: randomBytes(32).toString('base64url') })
}

function listen(server: Server, { host, port }: SignInOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', error =>
      reject(new StartError(`The sign-in provider cannot listen on ${host}:${port}: ${error.message}`)),
    )
    server.listen(port, host, () => resolve((server.address() as { port: number }).port))
  })
}

function close(server: Server): Promise<void> {
  return new Promise(resolve => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
