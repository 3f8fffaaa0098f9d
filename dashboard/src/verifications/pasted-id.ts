/** What programs put for a hyphen when a text is typed or laid out. */
const dashes = /[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]/g
/** Zero-width characters, marks of direction, soft hyphens. */
const invisible = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g
/** Where a mail program ends a line, with the marks of a quotation in the next one. */
const lineEnd = String.raw`(?:=?\s+(?:>\s*)*)?`
const digits = (count: number) => String.raw`(?:[\da-f]${lineEnd}){${count}}`
const uuid = [8, 4, 4, 4, 12].map(digits).join(`-${lineEnd}`)
/** Without hyphens, only what has the version of this service's IDs. */
const bare = String.raw`[\da-f]{12}7[\da-f]{3}[89ab][\da-f]{15}`
const id = new RegExp(String.raw`(?<![\da-f-])(?:${uuid}|${bare})(?![\da-f-])`, 'i')

/**
 * The ID in a text, in lower case: alone or in JSON, a line of a log, a mail, a link. In a link to the dashboard, the first ID
 * is the tenant's; what follows the words "verificationId" or "verifications" is preferred.
 */
export function findId(text: string): string | undefined {
  const plain = toPlain(text)
  const rest = plain.replace(/\/t\/[\da-f-]{36}/i, '')
  const [, named = ''] = /verification(?:Id|s)\W{1,6}([\da-f].*)/is.exec(rest) ?? []
  const [found] = id.exec(named) ?? id.exec(rest) ?? id.exec(plain) ?? []
  return found
    ?.toLowerCase()
    .replaceAll(/[^\da-f]/g, '')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** A part of an ID, without what surrounds it, as in "…cb421b99". */
export function withoutPunctuation(text: string): string {
  return toPlain(text).replaceAll(/[\s"'`´‘’“”«»…,.;:*=<>()[\]{}]/g, '')
}

/** From so many digits on, a part of an ID tells it apart from words and from other IDs. */
export const partLengthMin = 8

/** How many digits a part of an ID has; undefined for other texts. */
export function countDigits(text: string): number | undefined {
  const part = withoutPunctuation(text)
  return /^[\da-f-]{1,36}$/i.test(part) && !/\S\s+\S/.test(text) ? part.replaceAll('-', '').length : undefined
}

function toPlain(text: string): string {
  return text.replaceAll(dashes, '-').replaceAll(invisible, '')
}
