import type { ConnectionOptions as TlsOptions } from 'node:tls'
import type { ClientConfig } from 'pg'
import { parse } from 'pg-connection-string'
import { statementDeadlineMs } from './deadline.policy.ts'
import { type Server, ServerClient } from './server-client.ts'
import type { Connection } from './server-role.ts'
import { prepareSession } from './session-settings.ts'
import type { StatementObserver } from './statement-observer.ts'

/** A `DATABASE_URL` that cannot be used. The message continues a sentence that starts with the variable's name. */
export class ConnectionUrlError extends Error {
  override name = 'ConnectionUrlError'
}

/** How every connection to PostgreSQL is opened: the options of `pg`'s clients and pools. */
export interface ConnectionOptions extends Server {
  database: string
  user?: string
  password?: string
  application_name: string
  /** Command-line options for the server, such as `-c search_path=verification`. */
  options?: string
  connectionTimeoutMillis: number
  keepAlive: boolean
  keepAliveInitialDelayMillis: number
  /** Of pools. */
  onConnect: (client: Connection) => Promise<void>
  /** Pools take it from here. */
  Client: new (
    config?: ClientConfig,
  ) => ServerClient
}

interface GivenOptions {
  applicationName?: string | undefined
  /** How long each statement may remain unanswered; 5 s by default, and 35 s for long ones. */
  deadlineMs?: number | undefined
  /** Of the statements of pools. */
  observer?: StatementObserver | undefined
}

/**
 * Parses a `postgres:` URL, as `pg-connection-string` does. A parameter that isn't supported is an error, because ignoring it
 * could mean, for example, a connection without TLS. The files that it names are read. Throws a `ConnectionUrlError`, whose
 * message doesn't contain the password.
 */
export function connectionOptions(
  url: string,
  { applicationName = 'age-verification', deadlineMs = statementDeadlineMs, observer }: GivenOptions = {},
): ConnectionOptions {
  const parsed = parseUrl(url)
  const { user, password, options } = parsed
  const database = parsed.database || user
  if (!database) throw new ConnectionUrlError('must name a database')
  const host = parsed.host || 'localhost'
  const server: Server = {
    host,
    port: wholeNumber('port', parsed.port || '5432', 65_535),
    ssl: tlsOptions(parsed, host),
    deadlineMs,
    openClients: new Set(),
  }
  return {
    ...server,
    database,
    application_name: parsed.application_name || applicationName,
    connectionTimeoutMillis: 1000 * wholeNumber('connect_timeout', parsed.connect_timeout || '5', 600),
    keepAlive: true,
    keepAliveInitialDelayMillis: 30_000,
    onConnect: client => prepareSession(client),
    ...(user ? { user } : {}),
    ...(password ? { password } : {}),
    ...(options ? { options } : {}),
    Client: class extends ServerClient {
      constructor(config: ClientConfig = {}) {
        // Pools hide the password from enumeration, and `pg` hides the key of `ssl` from those that copy the options.
        super({ ...config, password: config.password, ...server, observer })
      }
    },
  }
}

type ParsedUrl = Partial<Record<string, string>> & { ssl?: TlsOptions | false }

const supported =
  /^(host|port|user|password|database|application_name|options|connect_timeout|ssl(mode|rootcert|cert|key))$/
const sslModes = /^(disable|no-verify|prefer|require|verify-ca|verify-full)$/
const writable = /^(read-write|primary)$/

/** The parser takes them for `verify-full`, and warns that its next version will no longer. */
const strictModes = /(?<=[?&]sslmode=)(prefer|require|verify-ca)(?=&|$)/

function parseUrl(url: string): ParsedUrl {
  const authority = /^postgres(?:ql)?:\/\/(?:[^/?]*@)?([^/?#]*)/.exec(url)?.[1]
  if (authority === undefined) {
    throw new ConnectionUrlError('must be a URL that starts with postgres:// or postgresql://')
  }
  if (authority.includes(',')) throw severalHosts()
  let parsed: ParsedUrl
  try {
    parsed = { ...(parse(url.replace(strictModes, 'verify-full')) as ParsedUrl) }
  } catch (error) {
    throw new ConnectionUrlError(describeFault(error as NodeJS.ErrnoException))
  }
  const { ssl, target_session_attrs: target = 'read-write', sslmode = 'disable', ...others } = parsed
  const unknown =
    ssl && typeof ssl !== 'object' ? 'ssl' : Object.keys(others).find(name => !supported.test(name))
  if (unknown !== undefined) {
    const name = /^\w{1,40}$/.test(unknown) ? unknown : '(unreadable)'
    throw new ConnectionUrlError(`has the parameter ${name}, which is not supported`)
  }
  if (!sslModes.test(sslmode)) throw new ConnectionUrlError('has an unknown value of the parameter sslmode')
  if (!writable.test(target)) {
    throw new ConnectionUrlError(
      'has the parameter target_session_attrs, which must be read-write or primary',
    )
  }
  if (parsed.host?.includes(',') || parsed.port?.includes(',')) throw severalHosts()
  if (/[?&]sslmode=verify-ca(&|$)/.test(url)) parsed.sslmode = 'verify-ca'
  return parsed
}

/** Without TLS if the URL says so, or on a Unix socket; undefined if it says nothing about it. */
function tlsOptions({ ssl, sslmode }: ParsedUrl, host: string): Server['ssl'] {
  if (ssl === false || host.startsWith('/')) return false
  if (!ssl) return undefined
  if (sslmode === 'verify-ca' && !ssl.ca) {
    throw new ConnectionUrlError('must have a file as the parameter sslrootcert with sslmode=verify-ca')
  }
  // With `host`, the certificate of an address is not compared with "localhost".
  const verified = { rejectUnauthorized: true, host, ...ssl }
  // Any name may have a certificate of one's own authority.
  return sslmode === 'verify-ca' ? { ...verified, checkServerIdentity: () => undefined } : verified
}

/** The parser's own message names no part of the URL but a file. */
function describeFault({ code, message }: NodeJS.ErrnoException): string {
  return code?.startsWith('E') && code !== 'ERR_INVALID_URL'
    ? `names a file that cannot be used: ${message}`
    : 'is not a valid URL: reserved characters such as @ / ? # must be percent-encoded, and an IPv6 address must be in brackets'
}

function severalHosts(): ConnectionUrlError {
  return new ConnectionUrlError(
    'names several hosts: name the proxy, or the endpoint, that is in front of them and leads to the primary',
  )
}

function wholeNumber(name: string, value: string, max: number): number {
  const number = /^\d{1,6}$/.test(value) ? Number(value) : 0
  if (number >= 1 && number <= max) return number
  throw new ConnectionUrlError(`has the parameter ${name}, which must be a whole number from 1 to ${max}`)
}
