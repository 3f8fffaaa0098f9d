import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { checkServerIdentity, createSecureContext, type ConnectionOptions as TlsOptions } from 'node:tls'
import { ConnectionUrlError, choice, type Parameters } from './connection-url.ts'

const sslModes = ['disable', 'no-verify', 'prefer', 'require', 'verify-ca', 'verify-full'] as const

/**
 * The TLS options for one host; false without TLS, undefined if the URL says nothing about it. `prefer` and `require`
 * mean `verify-full`: there is no mode that falls back to a connection without TLS. `verify-ca` doesn't compare the
 * host's name, so it needs an authority of one's own.
 */
export function tlsOptions(parameters: Parameters, host: string): false | TlsOptions | undefined {
  const ca = readPem(parameters, 'sslrootcert')
  const cert = readPem(parameters, 'sslcert')
  const key = readPem(parameters, 'sslkey')
  if ((cert === undefined) !== (key === undefined)) {
    throw new ConnectionUrlError('must have both of sslcert and sslkey, or neither')
  }
  const isImplied = cert !== undefined || parameters.has('sslrootcert')
  const given = parameters.get('sslmode') ?? (isImplied ? 'verify-full' : undefined)
  const mode = given === undefined ? undefined : choice('sslmode', given, sslModes)
  if (mode === 'verify-ca' && ca === undefined) {
    throw new ConnectionUrlError('must have a file as the parameter sslrootcert with sslmode=verify-ca')
  }
  // As in libpq, TLS is not used on a Unix socket.
  if (mode === 'disable' || host.startsWith('/')) return false
  if (mode === undefined) return undefined
  return {
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert, key }),
    ...(isIP(host) === 0 ? { servername: host } : {}),
    rejectUnauthorized: mode !== 'no-verify',
    // Node would compare the certificate of an address with "localhost".
    checkServerIdentity: (_, certificate) =>
      mode === 'verify-ca' ? undefined : checkServerIdentity(host, certificate),
  }
}

/** The PEM in the file that the parameter names. `sslrootcert=system`, as in libpq, means the known authorities. */
function readPem(parameters: Parameters, name: 'sslrootcert' | 'sslcert' | 'sslkey'): string | undefined {
  const path = parameters.get(name)
  if (path === undefined || (name === 'sslrootcert' && path === 'system')) return undefined
  try {
    const pem = readFileSync(path, 'utf8')
    if (!pem.includes('-----BEGIN ')) throw new Error(`${path} has no PEM in it`)
    createSecureContext({ [{ sslrootcert: 'ca', sslcert: 'cert', sslkey: 'key' }[name]]: pem })
    return pem
  } catch (error) {
    throw new ConnectionUrlError(
      `has the parameter ${name}, which cannot be used: ${(error as Error).message}`,
    )
  }
}
