import { Navigate, Outlet, useLocation, useParams } from 'react-router'
import { EmptyPage } from '../components/empty-state.tsx'
import { useSession, useTenantPath } from './session-context.ts'

/** Shows the pages of the tenant in the URL to its members. Everyone else can't tell whether it exists. */
export function RequireTenant() {
  const { membership, memberships, hadAccess } = useSession()
  if (membership) return <Outlet />
  const link = memberships.length > 0 ? 'Go to your tenant' : 'Go to the dashboard'
  return <EmptyPage to="/" link={link} {...(hadAccess ? ended : unknown)} />
}

const ended = {
  title: 'You are no longer a member of this tenant',
  description: 'You left it, an owner removed you, or it was deleted. Ask an owner to invite you again.',
}

const unknown = {
  title: "You don't have access to this tenant, or it doesn't exist",
  description: 'Check the link, or ask an owner of the tenant to invite you. You may have to sign in as another user.',
}

/** Leads a path without a page or without a tenant to that of the selected tenant. */
export function TenantRedirect() {
  const { membership } = useSession()
  const { tenantId } = useParams()
  const { pathname, search, hash, state } = useLocation()
  const toPath = useTenantPath()
  const isLanding = pathname === '/' || tenantId !== undefined
  const path = isLanding ? '/overview' : pathname
  if (membership) {
    const to = { pathname: toPath(path), search, hash }
    return <Navigate to={to} state={isLanding ? { isLanding } : state} replace />
  }
  if (path === '/overview') return <Navigate to="/first-steps" replace />
  return path === '/first-steps' ? <Outlet /> : <NoTenantPage />
}

/** For users who belong to no tenant. */
function NoTenantPage() {
  const isOpen = useSession().provisioning === 'open'
  const first = isOpen ? 'Create a tenant, or ask an owner of an existing one' : 'Ask an owner of a tenant'
  return (
    <EmptyPage
      title="You are not a member of a tenant"
      description={`${first} to invite you.`}
      to={isOpen ? '/first-steps' : undefined}
      link="Create a tenant"
    />
  )
}
