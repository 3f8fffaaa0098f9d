import { type Membership, useMembership } from './session-context.ts'

/** A right that permits changes. */
type ChangeRight = Exclude<Membership['rights'][number], 'read'>

/** Why the user can't make changes of this kind, as a sentence beside the disabled control; undefined if they can. */
export function useDisabledReason(right: ChangeRight): string | undefined {
  const { role, rights, enabled } = useMembership()
  if (!rights.includes(right)) {
    return `The ${role} role can't ${actions[right]}. Ask an owner of this tenant to change your role.`
  }
  return enabled ? undefined : disabledTenantReason
}

export const disabledTenantReason = "This tenant is disabled. You can view its data but can't change it."

const actions: Record<ChangeRight, string> = {
  keys: 'create or revoke API keys',
  settings: 'change settings or view secrets',
  tokens: 'copy or revoke tokens',
  members: 'manage members',
  tenant: 'rename the tenant',
}
