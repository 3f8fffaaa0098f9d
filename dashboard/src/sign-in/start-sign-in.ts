import type { Config } from '../config.ts'
import {
  callbackPath,
  homePath,
  isAfterSignOut,
  redirectToSignIn,
  refuseOfflineAccess,
  takePendingSignIn,
} from './authorization.ts'
import { discover, IssuerRefused, redeemCode } from './issuer.ts'
import { SignIn } from './sign-in.ts'
import { broadcast, passOnResponse } from './sign-in-channel.ts'
import { signInSilently, wasSignedIn } from './silent-sign-in.ts'

/** `leaving`: the page leaves, or belongs to a frame or window that signs in for another page. */
type StartResult = SignIn | 'signed-out' | 'leaving'

/**
 * Signs in when the page loads: with the response if it was redirected back, else silently in a frame, which leaves no
 * trace in the history, else by redirecting to the issuer. Throws `IssuerUnreachable` and `IssuerRefused`.
 */
export async function startSignIn(config: Config): Promise<StartResult> {
  if (window.location.pathname === callbackPath) return await completeSignIn(config)
  if (isAfterSignOut()) return 'signed-out'
  if (wasSignedIn()) {
    const metadata = config.metadata ?? (await discover(config))
    try {
      return new SignIn(config, metadata, await signInSilently(config, metadata))
    } catch (error) {
      if (!(error instanceof IssuerRefused)) throw error
    }
  }
  // The page is left only for an issuer that responds.
  await redirectToSignIn(config, await discover(config))
  return 'leaving'
}

async function completeSignIn(config: Config): Promise<StartResult> {
  const response = new URLSearchParams(window.location.search)
  const pending = takePendingSignIn(response)
  if (!pending) {
    const isPassedOn = await passOnResponse(response)
    if (isPassedOn) window.close()
    // A frame stays as it is: its page removes it.
    else if (window.parent === window) window.location.replace(homePath)
    return 'leaving'
  }
  try {
    const tokens = await redeemCode(config, pending, response)
    broadcast({ kind: 'signed-in' })
    return new SignIn(config, pending.metadata, tokens)
  } catch (error) {
    if (!(error instanceof IssuerRefused) || !refuseOfflineAccess(error.code)) throw error
    await redirectToSignIn(config, pending.metadata)
    return 'leaving'
  }
}
