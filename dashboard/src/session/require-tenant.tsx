import { Button } from '@mantine/core'
import { IconBuilding } from '@tabler/icons-react'
import { Link, Navigate, Outlet, useLocation } from 'react-router'
import { EmptyState } from '../components/empty-state.tsx'
import { Page } from '../components/page.tsx'
import { useSession } from './session-context.ts'

/** Shows its routes only to members of a tenant. */
export function RequireTenant() {
  const { membership, provisioning } = useSession()
  const { pathname } = useLocation()
  if (membership) return <Outlet />
  if (pathname === '/overview') return <Navigate to="/first-steps" replace />
  return (
    <Page title="No tenant yet">
      <EmptyState
        Icon={IconBuilding}
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
