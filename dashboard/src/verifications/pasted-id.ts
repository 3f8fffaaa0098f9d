/** What programs put for a hyphen when a text is typed or laid out, besides Unicode's dashes. */
const dashes = /[\p{Pd}\u02d7\u2027\u2043\u2212\u2500\u30fc]/gu
/** A hyphen of an ID in a link that Proofpoint rewrote. */
const rewrittenHyphen = /-2D(?=(?:[\da-f]{4}|[\da-f]{12})(?![\da-f]))/gi
/** Where a mail program ends a line, with the marks of a quotation in the next one. */
const lineEnd = String.raw`(?:=?[\s\x85]+(?:>\s*)*)?`
const digits = (count: number) => String.raw`(?:[\da-f]${lineEnd}){${count}}`
const uuid = [8, 4, 4, 4, 12].map(digits).join(`[-_]{1,2}${lineEnd}`)
/** Without hyphens, or in groups of four, only what has the version of this service's IDs. */
const quads = ['', '', '', '(?=7)', '(?=[89ab])', '', '', ''].map(start => String.raw`${start}[\da-f]{4}`)
const bare = String.raw`(?<![\da-f]{2}-)${quads.join(String.raw`[\s_-]{0,3}`)}(?!-?[\da-f])`
const anyId = String.raw`(?<![\da-f])(?<id>${uuid}(?![\da-f])|${bare})`
const id = new RegExp(anyId, 'i')
/** Between a name and its ID: in a link, JSON, a header, a line of a log. */
const nameEnd = String.raw`(?:s|[\s_-]?ids?)?[^\da-z]{1,12}`
const ofVerification = new RegExp(`verification${nameEnd}${anyId}`, 'i')
const ofTenant = new RegExp(`(?:tenant|[/_]t)${nameEnd}${anyId}`, 'gi')

/**
 * The ID in a text, in lower case: alone or in JSON, a line of a log, a mail, a link, which may be encoded. What is named a
 * verification's is preferred; what is named a tenant's is none.
 */
export function findId(text: string): string | undefined {
  const plain = toPlain(text)
  const found = ofVerification.exec(plain) ?? id.exec(plain.replaceAll(ofTenant, ' '))
  return found?.groups?.id
    ?.toLowerCase()
    .replaceAll(/[^\da-f]/g, '')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** A part of an ID, without what surrounds it, as in "…cb421b99"; the last one of "01a218cd…cb421b99". */
export function withoutPunctuation(text: string): string {
  const strip = (part: string) => part.replaceAll(/[^\p{L}\p{N}-]|(?<!\w)-|-(?!\w)/gu, '')
  return toPlain(text).split('...').map(strip).findLast(Boolean) ?? ''
}

/** How many digits a part of an ID has; undefined for other texts. */
export function countDigits(text: string): number | undefined {
  const part = withoutPunctuation(text)
  return /^[\da-f-]{1,36}$/i.test(part) && !/\S\s+\S/.test(text) ? part.replaceAll('-', '').length : undefined
}

/** Decoded, also twice, with ASCII for what looks like it, and without what is invisible. */
function toPlain(text: string): string {
  return text
    .replaceAll('%25', '%')
    .replaceAll(/(?:%[\da-f]{2})+/gi, decodeUrl)
    .replaceAll(/&#(\d{2,5});/g, (_entity, code) => String.fromCharCode(code))
    .normalize('NFKC')
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replaceAll(dashes, '-')
    .replaceAll(rewrittenHyphen, '-')
}

function decodeUrl(encoded: string): string {
  const bytes = encoded.split('%').slice(1)
  return new TextDecoder().decode(Uint8Array.from(bytes, hex => Number.parseInt(hex, 16)))
}
