import { useSession } from './session-context.ts'

export type TenantKind = 'live' | 'test'

/** The kinds of tenants that the user can create: one of each, where the operator allows it. */
export function useCreatableKinds(): TenantKind[] {
  const { provisioning, testTenants, memberships } = useSession()
  if (provisioning !== 'open') return []
  const offered: TenantKind[] = testTenants === 'only' ? ['test'] : ['live']
  if (testTenants === 'allowed') offered.push('test')
  return offered.filter(kind => !memberships.some(({ test }) => test === (kind === 'test')))
}
