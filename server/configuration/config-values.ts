import { z } from 'zod'
import { hasHiddenCharacters } from '#domain/parameters.ts'
import { connectionOptions } from '#domain/postgres/index.ts'
import { isLoopbackHost } from './loopback.policy.ts'

/** A variable of the environment: the field of the settings that holds its value, and what it accepts. */
export function setting<const Field extends string, Schema extends z.ZodType>(field: Field, schema: Schema) {
  return { field, schema }
}

/** The parsed values of variables, by field. */
export type Settings<Variables extends Record<string, ReturnType<typeof setting>>> = {
  [Name in keyof Variables as Variables[Name]['field']]: z.output<Variables[Name]['schema']>
}

/** Kinds of values that environment variables hold. Their messages continue a sentence that starts with the name. */

export function wholeNumber(min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max}`
  return z
    .string()
    .regex(/^\d+$/, message)
    .transform(Number)
    .refine(value => value >= min && value <= max, message)
}

/** A number of days, fractions allowed; parsed to milliseconds. */
export const days = duration(
  24 * 60 * 60 * 1000,
  days => days > 0 && days <= 3650,
  'must be a number of days above 0, at most 3650',
)

/** A number of seconds, fractions allowed; parsed to milliseconds. */
export function seconds(max: number) {
  return duration(1000, seconds => seconds <= max, `must be a number of seconds from 0 to ${max}`)
}

function duration(unitMs: number, isValid: (count: number) => boolean, message: string) {
  return z
    .string()
    .regex(/^\d+(\.\d+)?$/, message)
    .transform(Number)
    .refine(isValid, message)
    .transform(count => count * unitMs)
}

/** A URL with one of the protocols, each given with its colon. */
export function address(...protocols: string[]) {
  return z.string().refine(text => URL.canParse(text) && protocols.includes(new URL(text).protocol), {
    message: `must be a URL that starts with ${protocols.map(protocol => `${protocol}//`).join(' or ')}`,
    abort: true,
  })
}

/** A PostgreSQL URL of which every part and parameter is understood, and that leads to other machines with TLS or `disable`. */
export const postgresUrl = z.string().superRefine((text, context) => {
  try {
    const { host, ssl } = connectionOptions(text)
    if (ssl === undefined && !isLoopbackHost(host))
      throw new Error(`leads to ${host} without TLS: ${tlsRemedy}`)
  } catch (error) {
    context.addIssue({ code: 'custom', message: (error as Error).message })
  }
})

const tlsRemedy = 'add sslmode=verify-full, or sslmode=disable if the network is trusted'

export const trueOrFalse = z
  .enum(['true', 'false'], 'must be true or false')
  .transform(text => text === 'true')

/** A name that is displayed: one line without hidden characters. */
export const displayName = z
  .string()
  .max(255, 'must have at most 255 characters')
  .refine(text => !hasHiddenCharacters(text), 'must have no control or invisible characters')

/** An http or https URL, as it is. Credentials in it would be in tokens, pages and logs. */
export const exactWebAddress = address('http:', 'https:')
  .refine(text => !/[\s\p{C}]/u.test(text), 'must have no blanks and no control characters')
  .refine(
    text => new URL(text).username === '' && new URL(text).password === '',
    'must have no user and no password',
  )

/** The same that paths are appended to, as one spelling: host in lower case, no default port, no slash at its end. */
export const webAddress = exactWebAddress
  .refine(text => !/[?#]/.test(text), 'must have no query and no fragment')
  .transform(text => new URL(text).href.replace(/\/+$/, ''))

/** The address of a host: what has no prefix of paths of its own can only be at its root. */
export const rootAddress = webAddress.refine(
  text => new URL(text).pathname === '/',
  'must have no path: give the service a host name of its own, such as https://age.example.com',
)

/** Requires https, except on loopback, because requests carry credentials and responses are trusted. */
export function secureAddress<Url extends z.ZodType<string, string>>(url: Url) {
  return url.refine(isSecure, 'must start with https://; http:// is allowed for loopback addresses only')
}

function isSecure(text: string): boolean {
  const { protocol, hostname } = new URL(text)
  return protocol === 'https:' || isLoopbackHost(hostname)
}

/** Comma-separated items; blank ones are dropped. */
export const list = z.string().transform(text =>
  text
    .split(',')
    .map(item => item.trim())
    .filter(item => item !== ''),
)

/** Keys of 32 bytes in base64, newest first. */
export const encryptionKeys = list
  .refine(
    keys => keys.length > 0 && keys.every(isEncryptionKey),
    'must be 32 bytes in base64; make one with: openssl rand -base64 32',
  )
  .refine(keys => new Set(keys).size === keys.length, 'has the same key twice')

function isEncryptionKey(text: string): boolean {
  return /^[A-Za-z0-9+/]{43}=$/.test(text) && Buffer.from(text, 'base64').length === 32
}

/** JSON text; a message about a part of it begins with the path of the part. */
export function json<Schema extends z.ZodType>(schema: Schema) {
  return z.string().transform((text, context): z.output<Schema> => {
    const parsed = schema.safeParse(parseJson(text))
    if (parsed.success) return parsed.data
    for (const { path, message } of parsed.error.issues) {
      const part = path.length > 0 ? `has a wrong ${path.join('.')}: ` : 'must be a JSON object: '
      context.addIssue({ code: 'custom', message: part + message })
    }
    return z.NEVER
  })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** `name=value` pairs, separated by commas, with percent-encoded values. */
export const headerList = z.string().transform((text, context) => {
  const headers = text.split(',').map(pair => parseHeader(pair.trim()))
  if (headers.every(header => header !== undefined)) return Object.fromEntries(headers)
  const message = 'must be name=value pairs, separated by commas, with percent-encoded values'
  context.addIssue({ code: 'custom', message })
  return z.NEVER
})

function parseHeader(pair: string): [name: string, value: string] | undefined {
  const [, name, value] = /^([\w-]+)=([!-~]*)$/.exec(pair) ?? []
  if (name === undefined || value === undefined) return undefined
  try {
    return [name, decodeURIComponent(value)]
  } catch {
    return undefined
  }
}
