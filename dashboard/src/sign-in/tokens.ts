import type { Config } from '../config.ts'
import { type Authorization, redirectUri, resourceOf } from './authorization.ts'
import { type IssuerMetadata, IssuerRefused, post } from './issuer.ts'

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
export async function redeemCode(
  config: Config,
  { metadata, nonce, codeVerifier }: Authorization,
  response: URLSearchParams,
): Promise<Tokens> {
  const error = response.get('error')
  if (error !== null) throw new IssuerRefused(error, response.get('error_description'))
  const issuer = response.get('iss')
  if (issuer !== null && issuer !== metadata.issuer) throw new IssuerRefused('invalid_issuer')
  const body = await post(metadata.token_endpoint, config, {
    grant_type: 'authorization_code',
    code: response.get('code') ?? '',
    code_verifier: codeVerifier,
    redirect_uri: redirectUri(),
    ...resourceOf(config.audience),
  })
  return readTokens(body, { config, metadata, nonce })
}

/** Throws `IssuerRefused` if the refresh token is no longer valid, `IssuerUnreachable` for no response. */
export async function refreshTokens(
  config: Config,
  metadata: IssuerMetadata,
  previous: Tokens,
  refreshToken: string,
): Promise<Tokens> {
  const body = await post(metadata.token_endpoint, config, {
    grant_type: 'refresh_token',
    refresh_token: refreshToken,
    ...resourceOf(config.audience),
  })
  return readTokens(body, { config, metadata, previous })
}

interface TokenResponse {
  access_token?: string
  expires_in?: number
  refresh_token?: string
  id_token?: string
}

interface Expected {
  config: Config
  metadata: IssuerMetadata
  nonce?: string
  /** A refreshed response may lack an ID token and a new refresh token. */
  previous?: Tokens
}

/** For an access token that doesn't say when it expires. */
const defaultLifetimeSeconds = 300

function readTokens(body: unknown, { config, metadata, nonce, previous }: Expected): Tokens {
  const { access_token, expires_in, refresh_token, id_token } = (body ?? {}) as TokenResponse
  const idToken = id_token ?? previous?.idToken
  if (!access_token || !idToken) throw new IssuerRefused('invalid_token_response')
  return {
    accessToken: access_token,
    expiresAt: Date.now() + (expires_in ?? defaultLifetimeSeconds) * 1_000,
    refreshToken: refresh_token ?? previous?.refreshToken,
    idToken,
    claims: id_token ? readIdToken(id_token, { config, metadata, nonce }) : previous!.claims,
  }
}

/**
 * The token comes straight from the issuer over TLS, so its signature needs no check (OpenID Connect Core 3.1.3.7). Its
 * times neither: the browser's clock may be wrong, and the service checks those of the access token.
 */
function readIdToken(
  token: string,
  { config, metadata, nonce }: Expected & { nonce: string | undefined },
): Claims {
  const claims = decodePayload(token)
  const audiences = [claims.aud].flat()
  const isValid =
    claims.iss === metadata.issuer &&
    audiences.includes(config.clientId) &&
    (nonce === undefined || claims.nonce === nonce) &&
    typeof claims.sub === 'string'
  if (!isValid) throw new IssuerRefused('invalid_id_token')
  return claims
}

function decodePayload(token: string): Claims & { iss?: string; aud?: string | string[]; nonce?: string } {
  const payload = token.split('.')[1] ?? ''
  const bytes = atob(payload.replaceAll('-', '+').replaceAll('_', '/'))
  return JSON.parse(new TextDecoder().decode(Uint8Array.from(bytes, character => character.charCodeAt(0))))
}
