import { Navigate, Outlet, useLocation, useParams } from 'react-router'
import { NoTenantPage } from './no-tenant-page.tsx'
import { useSession } from './session-context.ts'
import { useTenantPath } from './tenant-path.ts'

/** Leads a path without a page or without a tenant to that of the selected tenant. */
export function TenantRedirect() {
  const { membership } = useSession()
  const { tenantId } = useParams()
  const { pathname, search, hash, state } = useLocation()
  const toPath = useTenantPath()
  const path = pathname === '/' || tenantId !== undefined ? '/overview' : pathname
  if (membership) return <Navigate to={{ pathname: toPath(path), search, hash }} state={state} replace />
  if (path === '/overview') return <Navigate to="/first-steps" replace />
  return path === '/first-steps' ? <Outlet /> : <NoTenantPage />
}
