import * as oauth from 'oauth4webapi'
import { ForeignResponse, readJson } from '../components/foreign-response.ts'
import { Unreachable } from '../components/unreachable.ts'
import type { Config, IssuerMetadata } from '../config.ts'
import { type Authorization, redirectUri, toResource } from './authorization.ts'
import { withoutEmptyFields } from './token-response.ts'

/** No response in time, a server error, or a `ForeignResponse`, the cause: the same request may succeed later. */
export class IssuerUnreachable extends Unreachable {}

/** An error response of OAuth 2.0, or one that is not valid: the same request fails again. */
export class IssuerRefused extends Error {
  /** Such as `login_required` or `access_denied`. */
  readonly code: string

  constructor(code: string, description?: string | null) {
    super(description ? `${description} (${code})` : code)
    this.code = code
  }
}

/** Throws `IssuerUnreachable`, and `IssuerRefused` if the document is another issuer's. */
export async function discover({ issuer }: Config): Promise<IssuerMetadata> {
  const identifier = new URL(issuer)
  const metadata = await exchange(async options =>
    oauth.processDiscoveryResponse(identifier, await oauth.discoveryRequest(identifier, options)),
  )
  const { authorization_endpoint } = metadata
  if (authorization_endpoint === undefined) throw new IssuerRefused('no_authorization_endpoint')
  return { ...metadata, authorization_endpoint }
}

export interface Claims {
  sub: string
  name?: string
  preferred_username?: string
  email?: string
}

/** Kept in memory only. */
export interface Tokens {
  accessToken: string
  /** By the browser's clock, in milliseconds. */
  expiresAt: number
  refreshToken: string | undefined
  idToken: string
  claims: Claims
}

/** Redeems the code of an authorization response. Throws `IssuerRefused` for an error, `IssuerUnreachable` for none. */
export function redeemCode(
  config: Config,
  { metadata, state, nonce, codeVerifier }: Authorization,
  response: URLSearchParams,
): Promise<Tokens> {
  const client = toClient(config)
  return exchange(async options => {
    const granted = await oauth.authorizationCodeGrantRequest(
      metadata,
      client,
      oauth.None(),
      oauth.validateAuthResponse(metadata, client, response, state),
      redirectUri(),
      codeVerifier,
      { ...options, additionalParameters: toResource(config.audience) },
    )
    const expected = { expectedNonce: nonce, requireIdToken: true }
    const found = await withoutEmptyFields(granted)
    return toTokens(await oauth.processAuthorizationCodeResponse(metadata, client, found, expected))
  })
}

/** Throws `IssuerRefused` if the refresh token is no longer valid, `IssuerUnreachable` for no response. */
export function refreshTokens(
  config: Config,
  metadata: IssuerMetadata,
  previous: Tokens,
  refreshToken: string,
): Promise<Tokens> {
  const client = toClient(config)
  return exchange(async options => {
    const granted = await oauth.refreshTokenGrantRequest(metadata, client, oauth.None(), refreshToken, {
      ...options,
      additionalParameters: toResource(config.audience),
    })
    const found = await withoutEmptyFields(granted)
    return toTokens(await oauth.processRefreshTokenResponse(metadata, client, found), previous)
  })
}

/** Also completes while the page is left. Throws like `refreshTokens`. */
export async function revokeToken(config: Config, metadata: IssuerMetadata, token: string): Promise<void> {
  await exchange(options =>
    oauth.revocationRequest(metadata, toClient(config), oauth.None(), token, {
      ...options,
      [oauth.customFetch]: (url, init) => fetch(url, { ...init, keepalive: true }),
    }),
  )
}

/** The browser's clock may be wrong: the service checks the times of the access token. */
const clockToleranceSeconds = 24 * 60 * 60

function toClient({ clientId }: Config): oauth.Client {
  return { client_id: clientId, [oauth.clockTolerance]: clockToleranceSeconds }
}

/** For an access token that doesn't say when it expires. */
const defaultLifetimeSeconds = 300

/** A refreshed response may lack an ID token and a new refresh token. */
function toTokens(response: oauth.TokenEndpointResponse, previous?: Tokens): Tokens {
  const { access_token, expires_in, refresh_token, id_token } = response
  return {
    accessToken: access_token,
    expiresAt: Date.now() + (expires_in ?? defaultLifetimeSeconds) * 1_000,
    refreshToken: refresh_token ?? previous?.refreshToken,
    idToken: id_token ?? previous!.idToken,
    claims: (oauth.getValidatedIdTokenClaims(response) as Claims | undefined) ?? previous!.claims,
  }
}

const timeoutMs = 10_000

/** HTTP is for an issuer on this machine. Which one it is, is the service's configuration. */
const requestOptions = { [oauth.allowInsecureRequests]: true, [oauth.customFetch]: fetchFromIssuer }

type ExchangeOptions = typeof requestOptions & { signal: AbortSignal }

/** Sends requests to the issuer and reads the responses. Throws `IssuerUnreachable` and `IssuerRefused`. */
async function exchange<Result>(work: (options: ExchangeOptions) => Promise<Result>): Promise<Result> {
  try {
    return await work({ ...requestOptions, signal: AbortSignal.timeout(timeoutMs) })
  } catch (error) {
    throw toIssuerError(error)
  }
}

/** Throws `ForeignResponse` for one that can't be used now, and for one that the issuer did not write. */
async function fetchFromIssuer(url: string, init: object): Promise<Response> {
  const response = await fetch(url, init)
  await readJson(response.clone(), 'access_token', 'error', 'issuer')
  if (new ForeignResponse(response).isPassing) throw new ForeignResponse(response)
  return response
}

function toIssuerError(error: unknown): unknown {
  if (error instanceof ForeignResponse) {
    const message = `The sign-in provider, or something in front of it, answered ${error.message}.`
    return new IssuerUnreachable(message, { cause: error })
  }
  if (error instanceof oauth.ResponseBodyError || error instanceof oauth.AuthorizationResponseError) {
    return new IssuerRefused(error.error, error.error_description)
  }
  if (error instanceof oauth.OperationProcessingError) {
    return new IssuerRefused(error.code ?? 'invalid_response', error.message)
  }
  return isNetworkError(error) ? new IssuerUnreachable('The sign-in provider did not respond.') : error
}

/** What `fetch` rejects with; the library's own `TypeError`s have a code. */
function isNetworkError(error: unknown): boolean {
  return error instanceof DOMException || (error instanceof TypeError && !('code' in error))
}
