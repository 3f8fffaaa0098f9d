import { findToken, handOver } from '../verifications/handed-over-token.ts'
import { countDigits, findId, partLengthMin, withoutPunctuation } from '../verifications/pasted-id.ts'
import type { Command } from './commands.ts'

/** Of a live or a test tenant. */
const apiKey = /\bavk_(test_)?\w/

/**
 * What to do with an ID, API key or token, alone or anywhere in what was pasted: quoted, in JSON, in a line of a log, in
 * a URL of the dashboard.
 */
export function pastedCommands(text: string, goTo: (path: string) => unknown): Command[] {
  const command = (label: string, path: string): Command => {
    return { id: label, label, group: 'Pasted', run: () => goTo(path) }
  }
  const found: Command[] = []
  const id = findId(text)
  if (id !== undefined) {
    found.push(
      command('Open the verification with this ID', `/verifications/${id}`),
      command('Open the API key with this ID', `/api-keys?key=${id}`),
    )
  }
  const jwt = findToken(text)
  if (jwt !== undefined) {
    const inspect = command('Inspect this token', '/tools/token')
    const run = () => {
      handOver(jwt)
      return inspect.run()
    }
    found.push({ ...inspect, run })
  }
  if (apiKey.test(text)) found.push(command('Find this key among the API keys', '/api-keys'))
  if (id === undefined && (countDigits(text) ?? 0) >= partLengthMin) {
    const part = withoutPunctuation(text).toLowerCase()
    found.push(command(`Verifications with ${part} in their ID`, `/verifications?search=${part}`))
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
