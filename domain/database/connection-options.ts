import { readFileSync } from 'node:fs'
import { checkServerIdentity, createSecureContext, type ConnectionOptions as TlsOptions } from 'node:tls'
import { parse } from 'pg-connection-string'

/** How every connection to PostgreSQL is opened: the options of `pg`'s clients and pools. */
export interface ConnectionOptions {
  /** A host name, an address, or the folder of a Unix socket. */
  host: string
  port: number
  database: string
  user?: string
  password?: string
  /** False: without TLS. Absent: as the environment's PGSSLMODE says, by default without TLS. */
  ssl?: false | TlsOptions
  sslnegotiation?: 'postgres' | 'direct'
  application_name?: string
  /** Used if neither the URL nor PGAPPNAME has a name. */
  fallback_application_name: string
  /** Command-line options for the server, such as `-c search_path=verification`. */
  options?: string
  connectionTimeoutMillis: number
  keepAlive: boolean
  keepAliveInitialDelayMillis?: number
}

/** A `DATABASE_URL` that cannot be used. The message continues a sentence that starts with the variable's name. */
export class ConnectionUrlError extends Error {
  override name = 'ConnectionUrlError'
}

/**
 * Parses a `postgres:` URL. All of its parameters apply to every connection alike; one that isn't supported is an
 * error, because ignoring it could mean, for example, a connection without TLS. The files that it names are read.
 * Throws a `ConnectionUrlError`, whose message contains neither the password nor any other part of the user info.
 */
export function connectionOptions(url: string, applicationName = 'age-verification'): ConnectionOptions {
  const parameters = parametersOf(url)
  const parsed = parseAddress(url)
  const host = parameters.get('host') || parsed.host || 'localhost'
  if (host.includes(',')) throw new ConnectionUrlError('must name one host')
  const user = parameters.get('user') || parsed.user || undefined
  const database = parsed.database || user
  if (!database) throw new ConnectionUrlError('must name a database')
  const options: ConnectionOptions = {
    host,
    port: wholeNumber('port', parsed.port || '5432', 1, 65_535),
    database,
    fallback_application_name: parameters.get('fallback_application_name') || applicationName,
    connectionTimeoutMillis:
      1000 * wholeNumber('connect_timeout', parameters.get('connect_timeout') ?? '5', 1, 600),
    keepAlive: choice('keepalives', parameters.get('keepalives') ?? '1', ['0', '1']) === '1',
  }
  const idle = parameters.get('keepalives_idle')
  return {
    ...options,
    ...withoutUndefined({
      user,
      password: parameters.get('password') || parsed.password || undefined,
      ssl: tlsOptions(parameters, host),
      sslnegotiation: sslNegotiation(parameters),
      application_name: parameters.get('application_name') || undefined,
      options: parameters.get('options') || undefined,
      keepAliveInitialDelayMillis:
        idle === undefined ? undefined : 1000 * wholeNumber('keepalives_idle', idle, 0, 86_400),
    }),
  }
}

/** The parameters of the URL that are supported, by the names that libpq gives them. */
const supported = [
  'host',
  'port',
  'user',
  'password',
  'application_name',
  'fallback_application_name',
  'options',
  'connect_timeout',
  'keepalives',
  'keepalives_idle',
  'ssl',
  'sslmode',
  'sslrootcert',
  'sslcert',
  'sslkey',
  'sslnegotiation',
  'uselibpqcompat',
]

type Parameters = ReadonlyMap<string, string>

function parametersOf(url: string): Parameters {
  if (!/^postgres(ql)?:\/\//.test(url)) {
    throw new ConnectionUrlError('must be a URL that starts with postgres:// or postgresql://')
  }
  if (url.includes('#')) throw new ConnectionUrlError('must not contain #: write it as %23')
  const query = url.split('?').slice(1).join('?')
  // The rest of a password, which must not be printed as if it were a parameter's name.
  if (query.includes('@')) {
    throw new ConnectionUrlError('must not contain @ after ?: write %3F for ? in a password, and %40 for @')
  }
  const parameters = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(query.replaceAll('+', '%2B'))) {
    if (!supported.includes(name)) {
      throw new ConnectionUrlError(
        `has the parameter ${printable(name)}, which is not supported (supported are ${supported.join(', ')})`,
      )
    }
    if (parameters.has(name)) throw new ConnectionUrlError(`has the parameter ${name} more than once`)
    parameters.set(name, value)
  }
  return parameters
}

/** Host, port, user, password and database, from wherever the URL has them. */
function parseAddress(url: string) {
  // TLS is interpreted here, not by the parser, whose meaning of `sslmode` will change with its next major version.
  const address = url.replace(/([?&])ssl\w*=[^&]*/g, '$1').replace(/[?&]+$/, '')
  try {
    return parse(address)
  } catch {
    throw new ConnectionUrlError('is not a valid URL: reserved characters must be percent-encoded')
  }
}

const sslModes = ['disable', 'no-verify', 'prefer', 'require', 'verify-ca', 'verify-full']

/**
 * TLS options for a value of `sslmode`. `prefer`, `require` and `verify-ca` mean `verify-full`, unless
 * `uselibpqcompat=true` selects libpq's weaker meanings: encryption without verification, or without comparing the
 * name. There is no mode that falls back to a connection without TLS.
 */
function tlsOptions(parameters: Parameters, host: string): false | TlsOptions | undefined {
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

function sslNegotiation(parameters: Parameters): 'postgres' | 'direct' | undefined {
  const value = parameters.get('sslnegotiation')
  if (value === undefined) return undefined
  if (value === 'direct' && sslMode(parameters) === 'disable') {
    throw new ConnectionUrlError('must not have sslnegotiation=direct without TLS')
  }
  return choice('sslnegotiation', value, ['postgres', 'direct']) as 'postgres' | 'direct'
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

function wholeNumber(name: string, value: string, min: number, max: number): number {
  const number = /^\d{1,6}$/.test(value) ? Number(value) : Number.NaN
  if (number >= min && number <= max) return number
  throw new ConnectionUrlError(
    `has the parameter ${name}, which must be a whole number from ${min} to ${max}`,
  )
}

function choice(name: string, value: string, values: string[]): string {
  if (values.includes(value)) return value
  throw new ConnectionUrlError(`has the parameter ${name}, which must be one of ${values.join(', ')}`)
}

/** A name of a parameter, as far as it is one. */
function printable(name: string): string {
  return /^\w{1,40}$/.test(name) ? name : '(unreadable)'
}

function withoutUndefined<Fields extends object>(fields: Fields) {
  const defined = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.fromEntries(defined) as { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> }
}
