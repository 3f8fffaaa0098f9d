import { Button } from '@mantine/core'
import { Link, Navigate, Outlet, useLocation, useParams } from 'react-router'
import { EmptyState } from '../components/empty-state.tsx'
import { Page } from '../components/page.tsx'
import { useSession, useTenantPath } from './session-context.ts'

/** Shows the pages of the tenant in the URL to its members. Everyone else can't tell whether it exists. */
export function RequireTenant() {
  const { membership, memberships, hadAccess } = useSession()
  if (membership) return <Outlet />
  const reason = hadAccess ? ended : unknown
  return (
    <Page title={reason.page}>
      <EmptyState icon="building-off" title={reason.title} description={reason.description}>
        <Button component={Link} to="/">
          {memberships.length > 0 ? 'Go to your tenant' : 'Go to the dashboard'}
        </Button>
      </EmptyState>
    </Page>
  )
}

const ended = {
  page: 'Access ended',
  title: 'You are no longer a member of this tenant',
  description: 'You left it, an owner removed you, or it was deleted. Ask an owner to invite you again.',
}

const unknown = {
  page: 'No access to this tenant',
  title: "You don't have access to this tenant, or it doesn't exist",
  description:
    'Check the link, or ask an owner of the tenant to invite you. You may have to sign in as another user.',
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
  const { provisioning } = useSession()
  return (
    <Page title="No tenant yet">
      <EmptyState
        icon="building"
        title="You are not a member of a tenant"
        description={
          provisioning === 'open'
            ? 'Create a tenant, or ask an owner of an existing one to invite you.'
            : 'Ask an owner of a tenant to invite you.'
        }
      >
        {provisioning === 'open' && (
          <Button component={Link} to="/first-steps">
            Create a tenant
          </Button>
        )}
      </EmptyState>
    </Page>
  )
}
