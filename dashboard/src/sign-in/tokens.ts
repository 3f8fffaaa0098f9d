import * as oauth from 'oauth4webapi'
import type { Config } from '../config.ts'
import { type Authorization, redirectUri, resourceOf } from './authorization.ts'
import { exchange, type IssuerMetadata } from './issuer.ts'

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
  const client = clientOf(config)
  return exchange(async options => {
    const granted = await oauth.authorizationCodeGrantRequest(
      metadata,
      client,
      oauth.None(),
      oauth.validateAuthResponse(metadata, client, response, state),
      redirectUri(),
      codeVerifier,
      { ...options, additionalParameters: resourceOf(config.audience) },
    )
    const expected = { expectedNonce: nonce, requireIdToken: true }
    return tokensOf(await oauth.processAuthorizationCodeResponse(metadata, client, granted, expected))
  })
}

/** Throws `IssuerRefused` if the refresh token is no longer valid, `IssuerUnreachable` for no response. */
export function refreshTokens(
  config: Config,
  metadata: IssuerMetadata,
  previous: Tokens,
  refreshToken: string,
): Promise<Tokens> {
  const client = clientOf(config)
  return exchange(async options => {
    const granted = await oauth.refreshTokenGrantRequest(metadata, client, oauth.None(), refreshToken, {
      ...options,
      additionalParameters: resourceOf(config.audience),
    })
    return tokensOf(await oauth.processRefreshTokenResponse(metadata, client, granted), previous)
  })
}

/** Also completes while the page is left. Throws like `refreshTokens`. */
export async function revokeToken(config: Config, metadata: IssuerMetadata, token: string): Promise<void> {
  await exchange(options =>
    oauth.revocationRequest(metadata, clientOf(config), oauth.None(), token, {
      ...options,
      [oauth.customFetch]: (url, init) => fetch(url, { ...init, keepalive: true }),
    }),
  )
}

/** The browser's clock may be wrong: the service checks the times of the access token. */
const clockToleranceSeconds = 24 * 60 * 60

function clientOf({ clientId }: Config): oauth.Client {
  return { client_id: clientId, [oauth.clockTolerance]: clockToleranceSeconds }
}

/** For an access token that doesn't say when it expires. */
const defaultLifetimeSeconds = 300

/** A refreshed response may lack an ID token and a new refresh token. */
function tokensOf(response: oauth.TokenEndpointResponse, previous?: Tokens): Tokens {
  const { access_token, expires_in, refresh_token, id_token } = response
  return {
    accessToken: access_token,
    expiresAt: Date.now() + (expires_in ?? defaultLifetimeSeconds) * 1_000,
    refreshToken: refresh_token ?? previous?.refreshToken,
    idToken: id_token ?? previous!.idToken,
    claims: (oauth.getValidatedIdTokenClaims(response) as Claims | undefined) ?? previous!.claims,
  }
}
