import { hash, randomInt } from 'node:crypto'

/** How every key begins. */
export const keyPrefix = 'avk_'
/** How the keys of test tenants begin. */
export const testKeyPrefix = 'avk_test_'
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const randomLength = 43
const checksumLength = 6
const shape = new RegExp(`^${keyPrefix}(test_)?[0-9A-Za-z]{${randomLength + checksumLength}}$`)

/** The length of the keys that begin as this text does, in characters. */
export function keyLength(text: string): number {
  return prefixOf(text).length + randomLength + checksumLength
}

/**
 * Generates a key: `avk_`, or `avk_test_` for a test tenant, 43 random base62 characters, which are 256 bits, then 6
 * characters of checksum.
 */
export function newKeyValue({ test = false } = {}): string {
  const random = Array.from({ length: randomLength }, () => alphabet[randomInt(alphabet.length)]).join('')
  const text = `${test ? testKeyPrefix : keyPrefix}${random}`
  return `${text}${checksum(text)}`
}

/** Whether the text has the form and checksum of a key, so that a mistyped key is rejected without a look-up. */
export function isKeyValue(text: string): boolean {
  return shape.test(text) && text.endsWith(checksum(text.slice(0, -checksumLength)))
}

/** Whether a key is one of a test tenant. */
export function isTestKey(value: string): boolean {
  return value.startsWith(testKeyPrefix)
}

/** The leading characters that are stored in clear text, so that its owner recognises a key. */
export function displayStart(value: string): string {
  return value.slice(0, isTestKey(value) ? 16 : 12)
}

/** SHA-256, hex: the form in which a key is stored. */
export function hashKeyValue(value: string): string {
  return hash('sha256', value)
}

function prefixOf(text: string): string {
  return isTestKey(text) ? testKeyPrefix : keyPrefix
}

/** 32 bits as base62. */
function checksum(text: string): string {
  let remaining = Number.parseInt(hash('sha256', text).slice(0, 8), 16)
  let encoded = ''
  for (let digit = 0; digit < checksumLength; digit++) {
    encoded = alphabet[remaining % alphabet.length] + encoded
    remaining = Math.floor(remaining / alphabet.length)
  }
  return encoded
}
