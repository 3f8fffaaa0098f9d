import { randomBytes } from 'node:crypto'
import type { EventEmitter } from 'node:events'
import { createServer } from 'node:http'
import { exportJWK, generateKeyPair } from 'jose'
import { Provider } from 'oidc-provider'
import { loopback } from '../embedded-context.ts'
import { loadOrCreateSecret } from '../load-or-create-secret.ts'
import { acceptLocalRequests, listenLocally } from '../local-requests.ts'
import { endSession } from './end-session.ts'
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
