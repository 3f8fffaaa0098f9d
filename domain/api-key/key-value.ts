import { hash, randomBytes } from 'node:crypto'

/** How every key begins. */
export const keyPrefix = 'avk_'
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const randomLength = 43
const checksumLength = 6
/** The length of every key, in characters. */
export const keyLength = keyPrefix.length + randomLength + checksumLength
const shape = new RegExp(`^${keyPrefix}[0-9A-Za-z]{${randomLength + checksumLength}}$`)

/** Generates a key: `avk_`, 43 base62 characters of 256 random bits, then 6 characters of checksum. */
export function newKeyValue(): string {
  const random = base62(BigInt(`0x${randomBytes(32).toString('hex')}`), randomLength)
  return `${keyPrefix}${random}${checksum(random)}`
}

/** Whether the text has the form and checksum of a key, so that a mistyped key is rejected without a look-up. */
export function isKeyValue(text: string): boolean {
  if (!shape.test(text)) return false
  const random = text.slice(keyPrefix.length, keyPrefix.length + randomLength)
  return text.endsWith(checksum(random))
}

/** SHA-256, hex: the form in which a key is stored. */
export function hashKeyValue(value: string): string {
  return hash('sha256', value)
}

function checksum(random: string): string {
  const digest = hash('sha256', keyPrefix + random)
  return base62(BigInt(`0x${digest.slice(0, 8)}`), checksumLength)
}

function base62(number: bigint, length: number): string {
  let remaining = number
  let text = ''
  for (let digit = 0; digit < length; digit++) {
    text = alphabet[Number(remaining % 62n)] + text
    remaining /= 62n
  }
  return text
}
