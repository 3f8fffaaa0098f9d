/** At most 255 visible ASCII characters: what OpenID Connect allows in `sub`, without inner spaces. */
const SUBJECT = /^[\x21-\x7e]{1,255}$/

export type SubjectAnswer = { subject: string; fault?: never } | { subject?: never; fault: string }

/** The subject that was picked or typed, or what is wrong with it. */
export function readSubject(value: unknown): SubjectAnswer {
  const subject = typeof value === 'string' ? value.trim() : ''
  if (subject === '') return { fault: 'Enter a subject, or pick a user above.' }
  if (!SUBJECT.test(subject)) return { fault: 'Use up to 255 letters, digits and signs, without spaces.' }
  return { subject }
}
