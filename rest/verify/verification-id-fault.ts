/** What is wrong with a verificationId that is not a UUID of version 7; undefined where it's not a text at all. */
export function verificationIdFault({ input }: { input?: unknown }): string | undefined {
  if (typeof input !== 'string') return undefined
  const expected = 'must be the verificationId that start returned'
  return uuid.test(input) ? `is not one of ours: it ${expected}, a UUID of version 7` : expected
}

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i
