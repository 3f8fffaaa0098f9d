import { countDigits, findId, withoutPunctuation } from '../verifications/pasted-id.ts'
import type { Command } from './commands.ts'

/** From so many digits on, a part of an ID is searched for; one of letters alone from as many as no word has. */
const partLengthMin = 4
const letterPartLengthMin = 8

/** As much of an API key as the service knows, of a live or a test tenant. */
const apiKey = /\bavk_(?:test_\w{0,7}|(?!test_)\w{1,8})/

/**
 * The ID, the part of one, or the beginning of an API key, alone or anywhere in what was pasted: quoted, in JSON, in a line
 * of a log, in a URL of the dashboard. Undefined for other texts.
 */
export function pastedName(text: string): string | undefined {
  return findId(text) ?? apiKey.exec(text)?.[0] ?? partOfId(text)
}

/** What else to do with an ID or API key. `isNamed`: an object that has it was found. */
export function pastedCommands(text: string, isNamed: boolean): Command[] {
  const open = (label: string, to: string) => ({ id: label, label, group: 'IDs and keys', to })
  const id = findId(text)
  if (isNamed && (id ?? apiKey.exec(text))) return []
  const inAuditLog = open('Find this ID in the audit log', `/audit-log?search=${id}`)
  if (id !== undefined) return [open('Open the verification with this ID', `/verifications/${id}`), inAuditLog]
  if (apiKey.test(text)) return [open('None of the API keys begins like this: see them all', '/api-keys')]
  const part = partOfId(text)
  return part ? [open(`Verifications with ${part} in their ID`, `/verifications?search=${part}`)] : []
}

function partOfId(text: string): string | undefined {
  const part = withoutPunctuation(text).toLowerCase()
  return (countDigits(text) ?? 0) >= (/\d/.test(part) ? partLengthMin : letterPartLengthMin) ? part : undefined
}

/** Why nothing is found. */
export function whyNothing(text: string): string {
  const count = countDigits(text) ?? 0
  return count > 0 && count < partLengthMin
    ? `An ID is found by ${partLengthMin} of its digits: type ${partLengthMin - count} more.`
    : 'Nothing has this name, ID or form.'
}
