import type { ClientConfig } from 'pg'
import { choice, parseConnectionUrl, wholeNumber } from './connection-url.ts'
import { type Server, ServerClient } from './server-client.ts'
import type { Connection } from './server-role.ts'
import { prepareSession } from './session-settings.ts'
import { observeQuery, type StatementObserver } from './statement-observer.ts'
import { tlsOptions } from './tls-options.ts'

/** How every connection to PostgreSQL is opened: the options of `pg`'s clients and pools. */
export interface ConnectionOptions extends Server {
  database: string
  user?: string
  password?: string
  application_name: string
  /** Command-line options for the server, such as `-c search_path=verification`. */
  options?: string
  connectionTimeoutMillis: number
  /** In milliseconds; the server ends a statement that takes longer. */
  statement_timeout?: number
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
  /** Of the statements of pools. */
  observer?: StatementObserver | undefined
}

/**
 * Parses a `postgres:` URL. All of its parameters apply to every connection alike; one that isn't supported is an
 * error, because ignoring it could mean, for example, a connection without TLS. The files that it names are read.
 * Throws a `ConnectionUrlError`, whose message doesn't contain the password.
 */
export function connectionOptions(
  url: string,
  { applicationName = 'age-verification', observer }: GivenOptions = {},
): ConnectionOptions {
  const { host, port, user, password, database, parameters } = parseConnectionUrl(url)
  const server: Server = { host, port, ssl: tlsOptions(parameters, host), openClients: new Set() }
  // Both mean the same here: a service that writes has a use for no other server than one that accepts writes.
  const targets = ['read-write', 'primary'] as const
  choice('target_session_attrs', parameters.get('target_session_attrs') ?? 'read-write', targets)
  const timeoutSeconds = wholeNumber('connect_timeout', parameters.get('connect_timeout') ?? '5', 1, 600)
  const options = parameters.get('options')
  return {
    ...server,
    database,
    application_name: parameters.get('application_name') || applicationName,
    connectionTimeoutMillis: 1000 * timeoutSeconds,
    keepAlive: true,
    keepAliveInitialDelayMillis: 30_000,
    onConnect: client => prepareSession(client),
    ...(user ? { user } : {}),
    ...(password ? { password } : {}),
    ...(options ? { options } : {}),
    Client: class extends ServerClient {
      constructor(config: ClientConfig = {}) {
        // Pools hide the password from enumeration, and `pg` hides the key of `ssl` from those that copy the options.
        super({ ...config, password: config.password, ...server })
      }

      // biome-ignore lint/suspicious/noExplicitAny: `pg` has an overload for each way to give a statement.
      override query(...given: any[]): any {
        const send = (given: readonly unknown[]) =>
          (super.query as (...given: unknown[]) => unknown).call(this, ...given)
        return observer ? observeQuery(observer, given, send) : send(given)
      }
    },
  }
}
