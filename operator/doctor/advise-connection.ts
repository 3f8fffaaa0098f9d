/** What to do where no connection to PostgreSQL, or to the pooler in front of it, can be opened. */
export function adviseConnection({ code = '', message }: NodeJS.ErrnoException): string {
  const byMessage = messages.find(([pattern]) => pattern.test(message))
  const byCode = codes.find(([pattern]) => pattern.test(code))
  return (byMessage ?? byCode)?.[1] ?? 'check host, port, user, password, pg_hba.conf and firewalls'
}

const whoConnects =
  'close connections (select usename, application_name, state, count(*) from pg_stat_activity group by 1, 2, 3), or lower DATABASE_POOL_SIZE'

type Advice = readonly [RegExp, string]

const messages: readonly Advice[] = [
  [/too many connections for role/, `raise it (alter role … connection limit), or ${whoConnects}`],
  [/too many connections for database/, `raise it (alter database … connection limit), or ${whoConnects}`],
  [/no more connections allowed/, 'raise max_client_conn of the pooler, or lower DATABASE_POOL_SIZE'],
  [
    /no pg_hba\.conf entry/,
    'add a line for this host, user, database and encryption to pg_hba.conf, and reload',
  ],
  [/not permitted to log in/, 'alter role … login, or use the role that replaces it'],
  [/not currently accepting connections/, 'alter database … allow_connections true'],
  [/does not support SSL/, 'turn ssl on at the server, or set sslmode=disable if the network is trusted'],
]

const codes: readonly Advice[] = [
  [/^53300$/, `raise max_connections and restart the server, use PgBouncer, or ${whoConnects}`],
  [/^28P01$/, 'the password, or the user, is wrong'],
  [/^28000$/, 'check the user, and what pg_hba.conf asks of it'],
  [/^3D000$/, 'create the database, or correct its name'],
  [/^57P03$/, 'the server is starting, recovering or stopping: wait, and see its log'],
  [/^ECONNREFUSED$/, 'nothing listens there: start PostgreSQL, or check host, port and listen_addresses'],
  [/^ENOENT$/, 'there is no such socket: start PostgreSQL, or check host and port'],
  [/^(ENOTFOUND|EAI_\w+)$/, 'the name of the host has no address: check it, and DNS'],
  [
    /^(ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/,
    'the server is frozen, or a firewall or the network drops what is sent to it: check host and port, and the server itself',
  ],
  [/^CERT_HAS_EXPIRED$/, 'renew the certificate of the server, and reload it'],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, 'the certificate is for other names: use one of them, or renew it'],
  [
    /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+)$/,
    'name the authority of the certificate with sslrootcert in the URL',
  ],
]
