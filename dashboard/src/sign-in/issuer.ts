import * as oauth from 'oauth4webapi'
import type { Config } from '../config.ts'

/** The issuer's discovery document. */
export type IssuerMetadata = oauth.AuthorizationServer & { authorization_endpoint: string }

/** No response, one that took too long, or a server error: the same request may succeed later. */
export class IssuerUnreachable extends Error {}

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

const timeoutMs = 10_000

/** HTTP is for an issuer on this machine. Which one it is, is the service's configuration. */
const insecure = { [oauth.allowInsecureRequests]: true }

type ExchangeOptions = typeof insecure & { signal: AbortSignal }

/** Sends requests to the issuer and reads the responses. Throws `IssuerUnreachable` and `IssuerRefused`. */
export async function exchange<Result>(work: (options: ExchangeOptions) => Promise<Result>): Promise<Result> {
  try {
    return await work({ ...insecure, signal: AbortSignal.timeout(timeoutMs) })
  } catch (error) {
    throw issuerErrorOf(error)
  }
}

function issuerErrorOf(error: unknown): unknown {
  const status = statusOf(error)
  if (status !== undefined && (status >= 500 || status === 429)) {
    return new IssuerUnreachable(`The sign-in provider responded with HTTP status ${status}.`)
  }
  if (error instanceof oauth.ResponseBodyError || error instanceof oauth.AuthorizationResponseError) {
    return new IssuerRefused(error.error, error.error_description)
  }
  if (error instanceof oauth.OperationProcessingError) {
    return new IssuerRefused(error.code ?? 'invalid_response', error.message)
  }
  return isNetworkError(error) ? new IssuerUnreachable('The sign-in provider did not respond.') : error
}

function statusOf(error: unknown): number | undefined {
  if (error instanceof oauth.ResponseBodyError) return error.status
  const cause = error instanceof oauth.OperationProcessingError ? error.cause : undefined
  return cause instanceof Response ? cause.status : undefined
}

/** What `fetch` rejects with; the library's own `TypeError`s have a code. */
function isNetworkError(error: unknown): boolean {
  return error instanceof DOMException || (error instanceof TypeError && !('code' in error))
}
