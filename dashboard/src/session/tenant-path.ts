import { useSession } from './session-context.ts'

/**
 * Maps a page of the selected tenant to its path below `/dashboard`: `/verifications` becomes
 * `/t/{tenantId}/verifications`. Without a tenant, the path stays as it is, and leads to what the user can do.
 */
export function useTenantPath(): (path: string) => string {
  const { membership } = useSession()
  return path => (membership ? tenantPath(membership.tenantId, path) : path)
}

export function tenantPath(tenantId: string, path: string): string {
  return `/t/${tenantId}${path}`
}
