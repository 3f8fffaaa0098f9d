import type { ConnectionOptions as TlsOptions } from 'node:tls'
import type { Client } from 'pg'
import { parse } from 'pg-connection-string'
import {
  ConnectionUrlError,
  choice,
  type Parameters,
  parametersOf,
  wholeNumber,
  withoutUndefined,
} from './connection-parameters.ts'
import { createClientClass } from './server-client.ts'
import { createServerList, type Server, type ServerList, targetSessionAttributes } from './server-list.ts'
import { sslNegotiation, tlsOptions } from './tls-options.ts'

export { ConnectionUrlError } from './connection-parameters.ts'

/** How every connection to PostgreSQL is opened: the options of `pg`'s clients and pools. */
export interface ConnectionOptions {
  /** Of the first server: a host name, an address, or the folder of a Unix socket. */
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
  /** For each address of each server. */
  connectionTimeoutMillis: number
  keepAlive: boolean
  keepAliveInitialDelayMillis: number
  /** All servers. What is learned about them is shared by all connections with these options. */
  servers: ServerList
  /** Connects to the servers; pools take it from here. */
  Client: typeof Client
}

/**
 * Parses a `postgres:` URL. All of its parameters apply to every connection alike; one that isn't supported is an
 * error, because ignoring it could mean, for example, a connection without TLS. The files that it names are read.
 * Throws a `ConnectionUrlError`, whose message contains neither the password nor any other part of the user info.
 */
export function connectionOptions(
  url: string,
  { applicationName = 'age-verification' }: { applicationName?: string | undefined } = {},
): ConnectionOptions {
  const parameters = parametersOf(url)
  const { hosts, rest } = splitHosts(url)
  const parsed = parseAddress(rest)
  const user = parameters.get('user') || parsed.user || undefined
  const database = parsed.database || user
  if (!database) throw new ConnectionUrlError('must name a database')
  const [first, ...others] = serversOf(parameters, hosts)
  const servers = createServerList([first!, ...others], {
    target: choice(
      'target_session_attrs',
      parameters.get('target_session_attrs') ?? 'read-write',
      targetSessionAttributes,
    ),
    isRandom:
      choice('load_balance_hosts', parameters.get('load_balance_hosts') ?? 'disable', [
        'disable',
        'random',
      ]) === 'random',
  })
  return {
    ...first!,
    database,
    fallback_application_name: parameters.get('fallback_application_name') || applicationName,
    connectionTimeoutMillis:
      1000 * wholeNumber('connect_timeout', parameters.get('connect_timeout') ?? '5', 1, 600),
    keepAlive: choice('keepalives', parameters.get('keepalives') ?? '1', ['0', '1']) === '1',
    keepAliveInitialDelayMillis:
      1000 * wholeNumber('keepalives_idle', parameters.get('keepalives_idle') ?? '30', 0, 86_400),
    servers,
    Client: createClientClass(servers),
    ...withoutUndefined({
      user,
      password: parameters.get('password') || parsed.password || undefined,
      sslnegotiation: sslNegotiation(parameters),
      application_name: parameters.get('application_name') || undefined,
      options: parameters.get('options') || undefined,
    }),
  }
}

/** Between the user info and the path; a password may contain commas and colons. */
const authority = /^(postgres(?:ql)?:\/\/(?:[^/?]*@)?)([^/?@]*)/

/** The hosts of a URL, each with its port, and the URL without them if there is more than one. */
function splitHosts(url: string): { hosts: string[]; rest: string } {
  const hosts = (authority.exec(url)?.[2] ?? '').split(',')
  return hosts.length > 1 ? { hosts, rest: url.replace(authority, '$1localhost') } : { hosts, rest: url }
}

/** User, password and database, from wherever the URL has them. */
function parseAddress(url: string) {
  // TLS and hosts are interpreted here. The parser's meaning of `sslmode` will change with its next major version.
  const address = url.replace(/([?&])ssl\w*=[^&]*/g, '$1').replace(/[?&]+$/, '')
  try {
    return parse(address)
  } catch {
    throw new ConnectionUrlError('is not a valid URL: reserved characters must be percent-encoded')
  }
}

/**
 * The servers in the order of the URL. By libpq's rules, the parameters `host` and `port` take precedence, there is one
 * port for all hosts or one for each, and an empty host or port means the default.
 */
function serversOf(parameters: Parameters, authorityHosts: string[]): Server[] {
  const inAuthority = authorityHosts.map(splitPort)
  const named = parameters.get('host')?.split(',')
  const hosts = named ?? inAuthority.map(({ host }) => host)
  const ports = parameters.get('port')?.split(',') ?? inAuthority.map(({ port }) => port)
  if (ports.length > 1 && ports.length !== hosts.length) {
    throw new ConnectionUrlError('must have one port for all hosts, or one for each')
  }
  return hosts.map((name, index) => {
    const host = name || 'localhost'
    const port = ports.length === 1 ? ports[0] : ports[index]
    const ssl = tlsOptions(parameters, host)
    return {
      host,
      port: wholeNumber('port', port || '5432', 1, 65_535),
      ...(ssl === undefined ? {} : { ssl }),
    }
  })
}

function splitPort(text: string): { host: string; port: string } {
  const [, host, port = ''] = /^(\[[^\]]*\]|[^:]*)(?::([^:]*))?$/.exec(text) ?? []
  if (host === undefined) {
    throw new ConnectionUrlError('is not a valid URL: an IPv6 address must be in brackets')
  }
  try {
    return { host: decodeURIComponent(host.replace(/^\[(.*)\]$/, '$1')), port }
  } catch {
    throw new ConnectionUrlError('is not a valid URL: reserved characters must be percent-encoded')
  }
}
