import { findTokens, handOver } from '../verifications/handed-over-token.ts'
import { countDigits, findId, withoutPunctuation } from '../verifications/pasted-id.ts'
import type { Command } from './commands.ts'

/** From so many digits on, a part of an ID is searched for; one of letters alone from as many as no word has. */
const partLengthMin = 4
const letterPartLengthMin = 8

/** Of a live or a test tenant. */
const apiKey = /\bavk_(test_)?\w/

/**
 * What to do with an ID, API key or token, alone or anywhere in what was pasted: quoted, in JSON, in a line of a log, in
 * a URL of the dashboard.
 */
export function pastedCommands(text: string): Command[] {
  const found: Command[] = []
  const add = (label: string, to: string, run?: () => unknown) =>
    found.push({ id: label, label, group: 'IDs, keys and tokens', to, ...(run && { run }) })
  const id = findId(text)
  if (id !== undefined) {
    add('Open the verification with this ID', `/verifications/${id}`)
    add('Open the API key with this ID', `/api-keys?key=${id}`)
  }
  if (findTokens(text).length > 0) add('Inspect this token', '/tools/token', () => handOver(text))
  if (apiKey.test(text)) add('Find this key among the API keys', '/api-keys')
  const part = withoutPunctuation(text).toLowerCase()
  if (id === undefined && (countDigits(text) ?? 0) >= (/\d/.test(part) ? partLengthMin : letterPartLengthMin)) {
    add(`Verifications with ${part} in their ID`, `/verifications?search=${part}`)
  }
  return found
}

/** Why nothing is found. */
export function whyNothing(text: string): string {
  const count = countDigits(text) ?? 0
  return count > 0 && count < partLengthMin
    ? `An ID is found by ${partLengthMin} of its digits: type ${partLengthMin - count} more.`
    : 'Nothing has this name, ID or form.'
}
