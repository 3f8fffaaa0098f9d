import { withoutHiddenCharacters } from '../parameters.ts'

export const nameLengthMax = 200
/** RFC 5321: 64 characters, an at sign and 255 characters. */
export const emailLengthMax = 320

/** How other members recognise a user. */
export interface Profile {
  name: string | null
  email: string | null
}

type MaybeProfile = { [Field in keyof Profile]?: Profile[Field] | undefined }

/** The name, or else the e-mail address; null if neither is known. */
export function chooseDisplayName({ name, email }: MaybeProfile): string | null {
  return name ?? email ?? null
}

/** What is stored of the claims of an ID token: one line of visible characters each, cut to its maximum length. */
export function readProfile(claims: { name: string | undefined; email: string | undefined }): Profile {
  return { name: toLine(claims.name, nameLengthMax), email: toLine(claims.email, emailLengthMax) }
}

function toLine(text: string | undefined, charactersMax: number): string | null {
  const line = withoutHiddenCharacters(text ?? '').trim()
  return [...line].slice(0, charactersMax).join('').trim() || null
}

/** The profile that all memberships of a user have; null if one of them has another one, or none is known. */
export function commonProfile(profiles: readonly Profile[]): Profile | null {
  const [first, ...others] = profiles
  if (!first || (first.name === null && first.email === null)) return null
  return others.every(({ name, email }) => name === first.name && email === first.email) ? first : null
}
