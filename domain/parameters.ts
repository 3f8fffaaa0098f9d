import { z } from 'zod'
import { DomainError } from './errors.ts'
import { inputIssues } from './input-issues.ts'

/** Parses one parameter, or several whose `path` is empty. Throws `INVALID_PARAMETERS` with the parameter's path. */
export function readParameter<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
  value: unknown,
): z.output<Schema> {
  const read = schema.safeParse(value)
  if (read.success) return read.data
  const [issue] = inputIssues(read.error)
  throw invalidParameter(path || issue!.path, issue!.message)
}

export function invalidParameter(path: string, message: string): DomainError {
  return new DomainError('INVALID_PARAMETERS', { message, details: { issues: [{ path, message }] } })
}

/** A whole number of a range, with one message for anything else. */
export function wholeNumber({ min, max }: { min: number; max: number }, message: string) {
  return z.int(message).min(min, message).max(max, message)
}

/** Trimmed single-line text without hidden characters. */
export function lineOfText(label: string, charactersMax: number): z.ZodType<string> {
  const message = `${label} must have 1 to ${charactersMax} characters and no control or invisible characters.`
  return z
    .string(message)
    .trim()
    .min(1, message)
    .max(charactersMax, message)
    .refine(text => !hasHiddenCharacters(text), message)
}

/**
 * Whether a text has characters that are not displayed themselves, but change what is: control characters, which a
 * terminal may execute; format characters, such as bidirectional overrides, which can make one name look like another;
 * line and paragraph separators; halves of surrogate pairs. Zero-width joiners and non-joiners are not hidden where
 * writing needs them: within an emoji such as a family, and between letters of Arabic and Indic scripts.
 */
export function hasHiddenCharacters(text: string): boolean {
  return hiddenCharacters.test(text)
}

/** The text without these characters. */
export function withoutHiddenCharacters(text: string): string {
  return text.replaceAll(everyHiddenCharacter, '')
}

const joinedScripts = 'Arab Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr'
const joinedLetter = `[${joinedScripts
  .split(' ')
  .map(script => `\\p{sc=${script}}`)
  .join('')}]`
const emojiJoiner = '(?<=[\\p{ExtPict}\\p{EMod}\\ufe0f])\\u200d(?=\\p{ExtPict})'
const letterJoiner = `(?<=${joinedLetter})[\\u200c\\u200d](?=${joinedLetter})`
const hiddenCharacters = new RegExp(
  `(?!${emojiJoiner}|${letterJoiner})[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Cs}]`,
  'u',
)
const everyHiddenCharacter = new RegExp(hiddenCharacters, 'gu')
