import { randomBytes } from 'node:crypto'
import type { EventEmitter } from 'node:events'
import { createServer, type Server } from 'node:http'
import { exportJWK, generateKeyPair } from 'jose'
import { Provider } from 'oidc-provider'
import { StartError } from '#server/start-error.ts'
import { loadOrCreateSecret } from '../load-or-create-secret.ts'
import { acceptLocalRequests } from '../local-requests.ts'
import { redirectAfterSignOut } from './end-session.ts'
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
