import { readFileSync } from 'node:fs'
import { checkServerIdentity, createSecureContext, type ConnectionOptions as TlsOptions } from 'node:tls'
import { ConnectionUrlError, choice, type Parameters, withoutUndefined } from './connection-parameters.ts'

const sslModes = ['disable', 'no-verify', 'prefer', 'require', 'verify-ca', 'verify-full'] as const

/**
 * TLS options for a value of `sslmode`. `prefer`, `require` and `verify-ca` mean `verify-full`, unless
 * `uselibpqcompat=true` selects libpq's weaker meanings: encryption without verification, or without comparing the
 * name. There is no mode that falls back to a connection without TLS.
 */
export function tlsOptions(parameters: Parameters, host: string): false | TlsOptions | undefined {
  const mode = sslMode(parameters)
  const files = withoutUndefined({
    ca: fileOf(parameters, 'sslrootcert'),
    cert: fileOf(parameters, 'sslcert'),
    key: fileOf(parameters, 'sslkey'),
  })
  if ((files.cert === undefined) !== (files.key === undefined)) {
    throw new ConnectionUrlError('must have both of sslcert and sslkey, or neither')
  }
  if (mode === undefined && Object.keys(files).length === 0 && !parameters.has('sslrootcert')) {
    return host.startsWith('/') ? false : undefined
  }
  // As in libpq, TLS is not used on a Unix socket.
  if (mode === 'disable' || host.startsWith('/')) return false
  const compatible =
    choice('uselibpqcompat', parameters.get('uselibpqcompat') ?? 'false', ['true', 'false']) === 'true'
  if (compatible && mode === 'verify-ca' && files.ca === undefined) {
    throw new ConnectionUrlError('must have the parameter sslrootcert with sslmode=verify-ca')
  }
  const unverified = compatible && (mode === 'prefer' || (mode === 'require' && files.ca === undefined))
  if (mode === 'no-verify' || unverified) return { ...files, rejectUnauthorized: false }
  const anyName = compatible && (mode === 'require' || mode === 'verify-ca')
  return {
    ...files,
    rejectUnauthorized: true,
    // `pg` gives Node only names, and Node then compares the certificate of an address with "localhost".
    checkServerIdentity: (_, certificate) => (anyName ? undefined : checkServerIdentity(host, certificate)),
  }
}

function sslMode(parameters: Parameters): string | undefined {
  const mode = parameters.get('sslmode')
  const ssl = parameters.get('ssl')
  if (mode !== undefined && ssl !== undefined) {
    throw new ConnectionUrlError('must not have both of ssl and sslmode')
  }
  if (mode !== undefined) return choice('sslmode', mode, sslModes)
  if (ssl === undefined) return parameters.get('sslnegotiation') === 'direct' ? 'verify-full' : undefined
  const value = choice('ssl', ssl, ['true', '1', 'false', '0', 'no-verify'])
  if (value === 'no-verify') return value
  return value === 'true' || value === '1' ? 'verify-full' : 'disable'
}

/** Throws a `ConnectionUrlError`. */
export function sslNegotiation(parameters: Parameters): 'postgres' | 'direct' | undefined {
  const value = parameters.get('sslnegotiation')
  if (value === undefined) return undefined
  if (value === 'direct' && sslMode(parameters) === 'disable') {
    throw new ConnectionUrlError('must not have sslnegotiation=direct without TLS')
  }
  return choice('sslnegotiation', value, ['postgres', 'direct'])
}

/** The PEM in the file that the parameter names. `sslrootcert=system`, as in libpq, means the known authorities. */
function fileOf(parameters: Parameters, name: 'sslrootcert' | 'sslcert' | 'sslkey'): string | undefined {
  const path = parameters.get(name)
  if (path === undefined || (name === 'sslrootcert' && path === 'system')) return undefined
  try {
    const pem = readFileSync(path, 'utf8')
    if (!pem.includes('-----BEGIN ')) throw new Error(`${path} has no PEM in it`)
    const option = { sslrootcert: 'ca', sslcert: 'cert', sslkey: 'key' }[name]
    createSecureContext({ [option]: pem })
    return pem
  } catch (error) {
    throw new ConnectionUrlError(
      `has the parameter ${name}, which cannot be used: ${(error as Error).message}`,
    )
  }
}
