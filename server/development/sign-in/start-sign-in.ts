import type { EventEmitter } from 'node:events'
import { createServer, type Server } from 'node:http'
import { Provider } from 'oidc-provider'
import { StartError } from '../../start-error.ts'
import { addPages } from './add-pages.ts'
import { endSession } from './end-session.ts'
import type { SignInOptions } from './options.ts'
import { providerConfiguration } from './provider-configuration.ts'
import { signInKeys } from './sign-in-keys.ts'

export interface SignIn {
  issuer: string
  close(): Promise<void>
}

/**
 * The sign-in provider for development: real OpenID Connect (authorization code with PKCE), but anybody may be
 * anyone. Throws a `StartError` when it cannot listen.
 */
export async function startSignIn(options: SignInOptions): Promise<SignIn> {
  const { onError = console.error } = options
  const server = createServer()
  const port = await listen(server, options)
  const issuer = `http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${port}`
  const provider = new Provider(
    issuer,
    providerConfiguration(options, await signInKeys(options.keysFile), port),
  )
  provider.on('server_error', (_ctx, error) => onError(error))
  // The provider is a Koa application, which its types do not say.
  ;(provider as EventEmitter).on('error', onError)
  provider.use(endSession)
  addPages(provider, options)
  server.on('request', provider.callback())
  return { issuer, close: () => close(server) }
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
