import { join } from 'node:path'
import type { SignInProvider } from '../dependencies.ts'
import { demoUsers } from './demo-users.ts'
import type { EmbeddedContext } from './embedded-context.ts'
import { loopback } from './loopback.ts'
import { startSignIn } from './sign-in/start-sign-in.ts'

/** Puts the local sign-in in the place of an OpenID provider. */
export async function embedSignIn(
  { config, folder, log, closing }: EmbeddedContext,
  port: number,
): Promise<SignInProvider> {
  const { baseUrl, dashboardUrl, oidcClientId: clientId } = config
  const audience = config.oidcAudience ?? `${baseUrl}/console`
  const { issuer, close } = await startSignIn({
    ...{ host: loopback, port, clientId, audience, users: demoUsers },
    redirectUris: [`${dashboardUrl}/sign-in/callback`],
    postLogoutRedirectUris: [`${dashboardUrl}/`, dashboardUrl],
    dashboardOrigins: [new URL(dashboardUrl).origin],
    keysFile: join(folder, 'sign-in-keys.json'),
    onError: error => log.error({ err: error }, 'The local sign-in failed'),
  })
  closing.defer(close)
  return { issuer, audience, clientId }
}
