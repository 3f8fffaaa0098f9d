/** A `DATABASE_URL` that cannot be used. The message continues a sentence that starts with the variable's name. */
export class ConnectionUrlError extends Error {
  override name = 'ConnectionUrlError'
}

/** The parameters of the URL that are supported, by the names that libpq gives them. */
const supported = [
  'host',
  'port',
  'user',
  'password',
  'application_name',
  'options',
  'connect_timeout',
  'target_session_attrs',
  'sslmode',
  'sslrootcert',
  'sslcert',
  'sslkey',
] as const

export type Parameters = ReadonlyMap<(typeof supported)[number], string>

export interface ConnectionUrl {
  user: string | undefined
  password: string | undefined
  database: string
  /** A name, an address, or the folder of a Unix socket. */
  host: string
  port: number
  parameters: Parameters
}

const pattern =
  /^postgres(?:ql)?:\/\/(?:(?<user>[^:@/?#]*)(?::(?<password>[^@/?#]*))?@)?(?<host>[^@/?#]*)(?:\/(?<database>[^@/?#]*))?(?:\?(?<query>[^@#]*))?$/

/**
 * Parses a `postgres:` URL, whose parameters take precedence over its other parts. Throws a `ConnectionUrlError`, whose
 * message contains nothing of the URL but a parameter's name and the path of a file: a password that is not
 * percent-encoded can be anywhere in it.
 */
export function parseConnectionUrl(url: string): ConnectionUrl {
  if (!/^postgres(ql)?:\/\//.test(url)) {
    throw new ConnectionUrlError('must be a URL that starts with postgres:// or postgresql://')
  }
  const parts = pattern.exec(url)?.groups
  if (!parts) throw invalidUrl()
  const parameters = parseParameters(parts.query ?? '')
  const user = parameters.get('user') || decode(parts.user)
  const database = decode(parts.database) || user
  if (!database) throw new ConnectionUrlError('must name a database')
  return {
    user,
    password: parameters.get('password') || decode(parts.password),
    database,
    ...parseHost(parameters, parts.host!),
    parameters,
  }
}

function parseParameters(query: string): Parameters {
  const parameters = new Map<(typeof supported)[number], string>()
  for (const [key, value] of new URLSearchParams(query.replaceAll('+', '%2B'))) {
    const name = supported.find(each => each === key)
    if (name === undefined) {
      const printable = /^\w{1,40}$/.test(key) ? key : '(unreadable)'
      throw new ConnectionUrlError(
        `has the parameter ${printable}, which is not supported (supported are ${supported.join(', ')})`,
      )
    }
    if (parameters.has(name)) throw new ConnectionUrlError(`has the parameter ${name} more than once`)
    parameters.set(name, value)
  }
  return parameters
}

/** By libpq's rules, an empty host or port means the default, and a comma separates several. */
function parseHost(parameters: Parameters, authority: string): Pick<ConnectionUrl, 'host' | 'port'> {
  if ([authority, parameters.get('host'), parameters.get('port')].some(text => text?.includes(','))) {
    throw new ConnectionUrlError(
      'names several hosts: name the proxy, or the endpoint, that is in front of them and leads to the primary',
    )
  }
  const { host, port } = splitPort(authority)
  return {
    host: parameters.get('host') || host || 'localhost',
    port: wholeNumber('port', parameters.get('port') || port || '5432', 1, 65_535),
  }
}

function splitPort(text: string): { host: string; port: string } {
  const match = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d*))?$/.exec(text)
  if (!match) throw invalidUrl()
  const [, address, name, port = ''] = match
  return { host: address ?? decode(name) ?? '', port }
}

/** Undefined for what is missing or empty. */
function decode(text: string | undefined): string | undefined {
  try {
    return decodeURIComponent(text ?? '') || undefined
  } catch {
    throw invalidUrl()
  }
}

function invalidUrl(): ConnectionUrlError {
  return new ConnectionUrlError(
    'is not a valid URL: reserved characters such as @ / ? # must be percent-encoded, and an IPv6 address must be in brackets',
  )
}

/** Throws a `ConnectionUrlError`. */
export function wholeNumber(name: string, value: string, min: number, max: number): number {
  const number = /^\d{1,6}$/.test(value) ? Number(value) : Number.NaN
  if (number >= min && number <= max) return number
  throw new ConnectionUrlError(
    `has the parameter ${name}, which must be a whole number from ${min} to ${max}`,
  )
}

/** Throws a `ConnectionUrlError` if the value is none of these. */
export function choice<const Value extends string>(
  name: string,
  value: string,
  values: readonly Value[],
): Value {
  const chosen = values.find(each => each === value)
  if (chosen !== undefined) return chosen
  throw new ConnectionUrlError(`has the parameter ${name}, which must be one of ${values.join(', ')}`)
}
