import type { Config } from '../config.ts'
import { createAuthorization } from './authorization.ts'
import { discover, type IssuerMetadata, IssuerRefused } from './issuer.ts'
import { responseTo } from './sign-in-channel.ts'
import { redeemCode, type Tokens } from './tokens.ts'

const timeoutMs = 8_000

/**
 * Gets tokens from the user's session at the issuer, in a hidden frame. Throws `IssuerRefused` if there is no session,
 * or if the issuer is reachable but doesn't respond in a frame; `IssuerUnreachable` if it is not reachable.
 */
export async function signInSilently(config: Config, metadata: IssuerMetadata): Promise<Tokens> {
  const authorization = await createAuthorization(config, metadata, {
    silent: true,
    withoutOfflineAccess: isOfflineAccessRefused(),
  })
  const { response, stop } = responseTo(authorization.state)
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
    if (!(error instanceof IssuerRefused) || !refuseOfflineAccess(error)) throw error
    return await signInSilently(config, metadata)
  } finally {
    stop()
    frame.remove()
  }
}

const storageKey = 'age-verification.no-offline-access'

/** Whether this issuer refuses to give the dashboard's client refresh tokens. */
export function isOfflineAccessRefused(): boolean {
  return sessionStorage.getItem(storageKey) !== null
}

/** Returns true if the request is worth repeating without the scope. */
export function refuseOfflineAccess({ code }: IssuerRefused): boolean {
  if (code !== 'invalid_scope' || isOfflineAccessRefused()) return false
  sessionStorage.setItem(storageKey, 'true')
  return true
}

function timeout(): Promise<undefined> {
  return new Promise(resolve => setTimeout(() => resolve(undefined), timeoutMs))
}
