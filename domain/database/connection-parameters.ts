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
  'fallback_application_name',
  'options',
  'connect_timeout',
  'target_session_attrs',
  'load_balance_hosts',
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

export type Parameters = ReadonlyMap<string, string>

/** Throws a `ConnectionUrlError` for a parameter that is not supported, or is there twice. */
export function parametersOf(url: string): Parameters {
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

/** A name of a parameter, as far as it is one. */
function printable(name: string): string {
  return /^\w{1,40}$/.test(name) ? name : '(unreadable)'
}

export function withoutUndefined<Fields extends object>(fields: Fields) {
  const defined = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.fromEntries(defined) as { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> }
}
