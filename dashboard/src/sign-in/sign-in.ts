import type { Config, IssuerMetadata } from '../config.ts'
import { createAuthorization, redirectToSignIn, redirectToSignOut } from './authorization.ts'
import {
  type Claims,
  IssuerRefused,
  IssuerUnreachable,
  redeemCode,
  refreshTokens,
  revokeToken,
  type Tokens,
} from './issuer.ts'
import { broadcast, listen, waitForResponse } from './sign-in-channel.ts'
import { rememberSignIn, signInSilently } from './silent-sign-in.ts'

/** `expired`: the user has to sign in again; `rejected`: the service doesn't accept what the issuer gives out. */
export type SignInState = 'signed-in' | 'expired' | 'rejected' | 'signed-out'

/** Tokens are renewed this long before they expire, so that calls don't wait for it. */
const renewalMarginMs = 60_000
/** A token that expires sooner is not sent. */
const validityMarginMs = 5_000
const renewalAttemptsMax = 4
/** A token that is rejected this soon after another one was is no reason to try a third one. */
const rejectionWindowMs = 60_000

/**
 * The user's sign-in, which is renewed in the background. While it can't be, calls wait until the user has signed in
 * again beside the page, so that nothing on it is lost.
 */
export class SignIn {
  readonly subject: string
  /** Display name from the provider. */
  readonly name: string
  /** Of the ID token of the first sign-in. */
  readonly claims: Claims
  /** Why the issuer did not renew it. */
  renewalError: IssuerRefused | undefined
  readonly #config: Config
  readonly #metadata: IssuerMetadata
  #tokens: Tokens
  #state: SignInState = 'signed-in'
  #renewal: Promise<void> | undefined
  #signedInAgain: PromiseWithResolvers<void> | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #rejectedAt = Number.NEGATIVE_INFINITY
  #stopWaiting: () => void = () => undefined
  readonly #listeners = new Set<() => void>()

  constructor(config: Config, metadata: IssuerMetadata, tokens: Tokens) {
    const { sub, name, preferred_username, email } = tokens.claims
    this.claims = tokens.claims
    this.subject = sub
    this.name = name ?? preferred_username ?? email ?? sub
    this.#config = config
    this.#metadata = metadata
    this.#tokens = tokens
    this.#accept(tokens)
    listen(({ kind }) => {
      if (kind === 'signed-out') this.#drop()
      if (kind !== 'signed-in' || !this.#signedInAgain) return
      // In another tab. If it fails here, the dialog stays open.
      const signedIn = signInSilently(config, metadata).then(renewed => this.#accept(renewed))
      signedIn.catch(() => undefined)
    })
  }

  readonly state = (): SignInState => this.#state

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** The ID token, which names the user to the service. */
  readonly idToken = (): string => this.#tokens.idToken

  /** A valid token, renewed if necessary. Throws `IssuerUnreachable`. */
  readonly accessToken = async (): Promise<string> => {
    if (this.#state === 'signed-out') throw new Error('The user is signed out.')
    if (this.#tokens.expiresAt - validityMarginMs < Date.now()) await this.#renew()
    return this.#tokens.accessToken
  }

  /** Like the global `fetch`, as the user. A token that the service rejects is renewed, and the request repeated. */
  readonly fetch = async (url: string | URL, init: RequestInit = {}): Promise<Response> => {
    for (;;) {
      const token = await this.accessToken()
      const headers = new Headers(init.headers)
      headers.set('authorization', `Bearer ${token}`)
      const response = await fetch(url, { ...init, headers })
      if (!(await isUnauthenticated(response))) return response
      await this.#replaceRejected(token)
    }
  }

  /**
   * Opens the issuer's page in a window; call this from a click. Returns undefined if the browser blocked it. Rejects with
   * `IssuerRefused` or `IssuerUnreachable`; the user can try again then.
   */
  readonly signInAgain = (): Promise<void> | undefined => {
    const opened = window.open('', 'sign-in', 'popup,width=480,height=720')
    return opened ? this.#signInWith(opened) : undefined
  }

  /** Leaves the page, which loses what was typed into it. */
  readonly signInOnThisPage = (): Promise<void> => redirectToSignIn(this.#config, this.#metadata)

  readonly signOut = (): void => {
    const tokens = this.#tokens
    this.#drop()
    broadcast({ kind: 'signed-out' })
    rememberSignIn(false)
    const { revocation_endpoint } = this.#metadata
    if (revocation_endpoint && tokens.refreshToken) {
      revokeToken(this.#config, this.#metadata, tokens.refreshToken).catch(() => undefined)
    }
    redirectToSignOut(this.#config, this.#metadata, tokens.idToken)
  }

  #renew(): Promise<void> {
    this.#renewal ??= this.#renewWithRetries().finally(() => {
      this.#renewal = undefined
    })
    return this.#renewal
  }

  async #renewWithRetries(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return this.#accept(await this.#newTokens())
      } catch (error) {
        if (error instanceof IssuerRefused) return await this.#waitForUser('expired', error)
        if (attempt === renewalAttemptsMax) throw error
        await new Promise(resolve => setTimeout(resolve, 2 ** attempt * 500))
      }
    }
  }

  async #newTokens(): Promise<Tokens> {
    const { refreshToken } = this.#tokens
    if (refreshToken === undefined) return await signInSilently(this.#config, this.#metadata)
    try {
      return await refreshTokens(this.#config, this.#metadata, this.#tokens, refreshToken)
    } catch (error) {
      if (error instanceof IssuerUnreachable) throw error
      return await signInSilently(this.#config, this.#metadata)
    }
  }

  async #replaceRejected(token: string): Promise<void> {
    if (token !== this.#tokens.accessToken) return
    // Another call was rejected with the same token.
    if (this.#renewal) return await this.#renewal
    const wasRejectedBefore = Date.now() - this.#rejectedAt < rejectionWindowMs
    this.#rejectedAt = Date.now()
    if (wasRejectedBefore) return await this.#waitForUser('rejected')
    this.#tokens.expiresAt = 0
    await this.#renew()
  }

  /** Resolves when the user has signed in again. */
  #waitForUser(state: 'expired' | 'rejected', renewalError?: IssuerRefused): Promise<void> {
    this.renewalError = renewalError
    this.#signedInAgain ??= Promise.withResolvers<void>()
    this.#setState(state)
    return this.#signedInAgain.promise
  }

  async #signInWith(opened: Window): Promise<void> {
    this.#stopWaiting()
    const authorization = await createAuthorization(this.#config, this.#metadata)
    const { response, stop } = waitForResponse(authorization.state)
    this.#stopWaiting = stop
    opened.location.replace(authorization.url)
    const tokens = await redeemCode(this.#config, authorization, await response)
    broadcast({ kind: 'signed-in' })
    this.#accept(tokens)
  }

  #accept(tokens: Tokens): void {
    // Another user must see nothing of this one's pages.
    if (tokens.claims.sub !== this.subject) {
      window.location.reload()
      return
    }
    this.#tokens = tokens
    rememberSignIn(true)
    clearTimeout(this.#timer)
    const renewIn = Math.max(tokens.expiresAt - Date.now() - renewalMarginMs, validityMarginMs)
    // A failure here is not one yet: the calls that need a new token try again.
    this.#timer = setTimeout(() => this.#renew().catch(() => undefined), renewIn)
    this.#setState('signed-in')
    this.#signedInAgain?.resolve()
    this.#signedInAgain = undefined
  }

  #drop(): void {
    clearTimeout(this.#timer)
    this.#tokens = { ...this.#tokens, accessToken: '', refreshToken: undefined, expiresAt: 0 }
    this.#setState('signed-out')
  }

  #setState(state: SignInState): void {
    this.#state = state
    for (const listener of this.#listeners) listener()
  }
}

/** 401 also stands for a disabled tenant. */
async function isUnauthenticated(response: Response): Promise<boolean> {
  return response.status === 401 && (await response.clone().text()).includes('"UNAUTHENTICATED_TENANT"')
}
