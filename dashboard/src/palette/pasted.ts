import { handOver } from '../verifications/handed-over-token.ts'
import type { Command } from './commands.ts'

const uuid = /(?<![\da-f-])[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}(?![\da-f-])/i
/** At least eight digits, so that words such as "added" are none. */
const partOfId = /^[\da-f]{8}[\da-f-]{0,27}$/i
const token = /eyJ[\w-]+\.[\w-]+\.[\w-]+/
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
  const id = findVerificationId(text)
  if (id !== undefined) {
    found.push(
      command('Open the verification with this ID', `/verifications/${id}`),
      command('Open the API key with this ID', `/api-keys?key=${id}`),
    )
  }
  const [jwt] = token.exec(text) ?? []
  if (jwt !== undefined) {
    const inspect = command('Inspect this token', '/tools/token')
    const run = () => {
      handOver(jwt)
      return inspect.run()
    }
    found.push({ ...inspect, run })
  }
  if (apiKey.test(text)) found.push(command('Find this key among the API keys', '/api-keys'))
  const part = text.trim().toLowerCase()
  if (partOfId.test(part)) {
    found.push(command(`Verifications with ${part} in their ID`, `/verifications?search=${part}`))
  }
  return found
}

/** In a URL of the dashboard, the tenant's ID is the first one. */
function findVerificationId(text: string): string | undefined {
  const path = text.replace(/\/t\/[\da-f-]{36}/i, '')
  return (uuid.exec(path) ?? uuid.exec(text))?.[0].toLowerCase()
}
