import { hash, randomInt } from 'node:crypto'

/** How every key begins. */
export const keyPrefix = 'avk_'
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const randomLength = 43
const checksumLength = 6
/** The length of every key, in characters. */
export const keyLength = keyPrefix.length + randomLength + checksumLength
const shape = new RegExp(`^${keyPrefix}[0-9A-Za-z]{${randomLength + checksumLength}}$`)

/** Generates a key: `avk_`, 43 random base62 characters, which are 256 bits, then 6 characters of checksum. */
export function newKeyValue(): string {
  const random = Array.from({ length: randomLength }, () => alphabet[randomInt(alphabet.length)]).join('')
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

/** 32 bits as base62. */
function checksum(random: string): string {
  let remaining = Number.parseInt(hash('sha256', keyPrefix + random).slice(0, 8), 16)
  let text = ''
  for (let digit = 0; digit < checksumLength; digit++) {
    text = alphabet[remaining % alphabet.length] + text
    remaining = Math.floor(remaining / alphabet.length)
  }
  return text
}
