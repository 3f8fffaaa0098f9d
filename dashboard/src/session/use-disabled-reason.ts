import { useMembership } from './session-context.ts'

/** What a role may do beyond reading; the service has the last word. */
const rolesWith = {
  keys: ['developer', 'owner'],
  settings: ['developer', 'owner'],
  tokens: ['developer', 'owner'],
  members: ['owner'],
  tenant: ['owner'],
} as const

export type Right = keyof typeof rolesWith

/** Why the user can't do this, in a sentence for beside the disabled button; undefined if they can. */
export function useObstacle(right: Right): string | undefined {
  const { role, enabled } = useMembership()
  const able: readonly string[] = rolesWith[right]
  if (!able.includes(role)) return `Your role is ${role}: this takes ${able.join(' or ')}.`
  if (!enabled) return 'This tenant is disabled: it can be read, but not changed.'
  return undefined
}
