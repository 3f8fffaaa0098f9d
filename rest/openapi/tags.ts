/** What the operations are grouped by, with a description each. */
export const tags = {
  Verifications: 'Start a verification, and follow it to its result.',
  'Age tokens': 'Check the signed proof that a person is 18 or over.',
  Webhooks: 'Requests that the service sends to your webhook URL.',
  Callbacks: 'Requests that the identity provider sends to the service.',
} as const

export type Tag = keyof typeof tags

export function describedTags(...names: Tag[]): { name: Tag; description: string }[] {
  return names.map(name => ({ name, description: tags[name] }))
}
