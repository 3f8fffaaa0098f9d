import { store } from '../components/store.ts'
import type { Config, IssuerMetadata } from '../config.ts'
import { createAuthorization, refuseOfflineAccess } from './authorization.ts'
import { discover, IssuerRefused, redeemCode, type Tokens } from './issuer.ts'
import { waitForResponse } from './sign-in-channel.ts'

const timeoutMs = 8_000

/**
 * Gets tokens from the user's session at the issuer, in a hidden frame. Throws `IssuerRefused` if there is no session,
 * or if the issuer is reachable but doesn't respond in a frame; `IssuerUnreachable` if it is not reachable.
 */
export async function signInSilently(config: Config, metadata: IssuerMetadata): Promise<Tokens> {
  const authorization = await createAuthorization(config, metadata, { silent: true })
  const { response, stop } = waitForResponse(authorization.state)
  const frame = document.createElement('iframe')
  frame.hidden = true
  frame.title = 'Sign-in'
  frame.src = authorization.url
  document.body.append(frame)
  try {
    const parameters = await Promise.race([response, timeout()])
    if (!parameters) {
      await discover(config)
      throw new IssuerRefused('no_response_in_frame')
    }
    return await redeemCode(config, authorization, parameters)
  } catch (error) {
    if (!(error instanceof IssuerRefused) || !refuseOfflineAccess(error.code)) throw error
    return await signInSilently(config, metadata)
  } finally {
    stop()
    frame.remove()
  }
}

function timeout(): Promise<undefined> {
  return new Promise(resolve => setTimeout(() => resolve(undefined), timeoutMs))
}

const signedInKey = 'age-verification.signed-in'

/** Whether this browser was signed in before: then the issuer probably needs no user, and the dashboard loads early. */
export function wasSignedIn(): boolean {
  return localStorage.getItem(signedInKey) !== null
}

export function rememberSignIn(isSignedIn: boolean): void {
  if (isSignedIn) store(localStorage, signedInKey, 'true')
  else localStorage.removeItem(signedInKey)
}
