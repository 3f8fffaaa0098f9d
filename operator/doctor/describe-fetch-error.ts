import { z } from 'zod'

/** The reason in one line: `fetch` itself only says that it failed. */
export function describeFetchError(error: unknown): string {
  if (error instanceof z.ZodError) return 'the response is not of the expected form'
  if (error instanceof SyntaxError) return 'the response is not JSON'
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return 'no response in time'
  const { code, message } = (error.cause ?? error) as NodeJS.ErrnoException
  const description = (message || String(code)).replace(/\.$/, '')
  return isUntrusted(error) ? `${description}; ${authorityAdvice}` : description
}

const untrustedCodes = [
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]
const authorityAdvice =
  'if the server is the right one, name its authority in NODE_EXTRA_CA_CERTS, which Node reads before .env'

/** Whether the server's certificate is of an authority that Node doesn't know. */
export function isUntrusted(error: Error): boolean {
  const { code = '' } = (error.cause ?? error) as NodeJS.ErrnoException
  return untrustedCodes.includes(code)
}

/** The body; undefined if it isn't JSON. Throws what `fetch` does if it doesn't come. */
export const readJson = (response: Response): Promise<unknown> =>
  response.json().catch(error => (error instanceof SyntaxError ? undefined : Promise.reject(error)))
