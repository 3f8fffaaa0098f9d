import { readDiscoveryDocument } from '#console-api/issuer-keys.ts'

const refreshMs = 5 * 60_000
/** Older metadata is not used: a browser then reads the document itself. */
const ageMaxMs = 60 * 60_000
/** An attempt without a response takes this long. */
const retryMs = 5_000

/** What the dashboard needs of the issuer's discovery document, which can be long. */
const fields = [
  'issuer',
  'authorization_endpoint',
  'token_endpoint',
  'revocation_endpoint',
  'end_session_endpoint',
  'scopes_supported',
  'id_token_signing_alg_values_supported',
  'authorization_response_iss_parameter_supported',
] as const

export type IssuerMetadata = Partial<Record<(typeof fields)[number], unknown>>

/**
 * Returns a function that returns the issuer's metadata as last seen, undefined if there is none yet: no page waits for
 * the issuer. It is read again in the background, at most every 5 minutes.
 */
export function createIssuerMetadata(issuer: string): () => IssuerMetadata | undefined {
  let metadata: IssuerMetadata | undefined
  let readAt = Number.NEGATIVE_INFINITY
  let triedAt = Number.NEGATIVE_INFINITY
  const refresh = async () => {
    triedAt = Date.now()
    const document = await readDiscoveryDocument(issuer)
    metadata = Object.fromEntries(fields.map(name => [name, document[name]]))
    readAt = Date.now()
  }
  return () => {
    const isDue = metadata === undefined || Date.now() - triedAt > refreshMs
    if (isDue && Date.now() - triedAt > retryMs) refresh().catch(() => undefined)
    return Date.now() - readAt < ageMaxMs ? metadata : undefined
  }
}
