/** The longest time of a timer, 24.8 days. */
export const msMax = 2 ** 31 - 1

/** Throws a `TypeError` that names the option, unless it is a number of milliseconds that a timer takes. */
export function assertMilliseconds(option: string, value: number, min = 0): void {
  if (typeof value === 'number' && value >= min && value <= msMax) return
  throw new TypeError(`${option} must be a number of milliseconds from ${min} to ${msMax}, not ${value}`)
}

/** Throws a `TypeError` that names the option, unless it is a whole number that is not negative. */
export function assertCount(option: string, value: number): void {
  if (Number.isSafeInteger(value) && value >= 0) return
  throw new TypeError(`${option} must be a whole number from 0, not ${value}`)
}

/** A year. Beyond it, somebody has given milliseconds: no token lives as long. */
const ageSecondsMax = 31_536_000

/** Throws a `TypeError`, unless it is undefined or the age of a proof that can be asked for. */
export function assertMaxAge(maxAgeSeconds: number | undefined): void {
  const isAge = Number.isSafeInteger(maxAgeSeconds) && maxAgeSeconds! >= 1 && maxAgeSeconds! <= ageSecondsMax
  if (maxAgeSeconds === undefined || isAge) return
  throw new TypeError(
    `maxAgeSeconds must be a whole number of seconds from 1 to ${ageSecondsMax}, not ${maxAgeSeconds}`,
  )
}

/**
 * Throws a `TypeError` that names the option, unless it is a text without white space and quotes, which come with a value
 * from a file, from `docker run --env-file` or from splitting a list.
 */
export function assertText(option: string, value: unknown): asserts value is string {
  if (typeof value !== 'string' || value === '') throw new TypeError(`${option} is missing or empty`)
  if (!/[\p{Z}\p{Cc}\p{Cf}"']/u.test(value)) return
  throw new TypeError(
    `${option} has white space or quotes in it or around it, such as a line feed at its end`,
  )
}

/** The option's URL, to which paths are added. Throws a `TypeError` that names the option if it is no http or https URL. */
export function withoutTrailingSlash(option: 'baseUrl' | 'issuer', address: string | undefined): string {
  if (address) assertText(option, address)
  if (address && /^https?:\/\/[^/?#@\\]+(\/[^?#\\]*)?$/i.test(address) && URL.canParse(address)) {
    return address.replace(/\/+$/, '')
  }
  throw new TypeError(
    `${option} must be the http or https URL of the service without a query, such as https://verify.example`,
  )
}
