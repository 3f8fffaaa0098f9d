import { Button } from '@mantine/core'
import { IconBuilding } from '@tabler/icons-react'
import { Link, Navigate, Outlet, useLocation } from 'react-router'
import { NothingHere } from '../feedback/nothing-here.tsx'
import { Page } from '../page/page.tsx'
import { useSession } from './session-context.ts'

/** Pages about a tenant, for a user who may not have one yet. */
export function TenantOnly() {
  const { membership } = useSession()
  const { pathname } = useLocation()
  if (membership) return <Outlet />
  if (pathname === '/overview') return <Navigate to="/first-steps" replace />
  return (
    <Page title="No tenant yet">
      <NothingHere
        Icon={IconBuilding}
        title="You do not belong to a tenant"
        description="Create one, or ask the owner of an existing one to add you as a member."
      >
        <Button component={Link} to="/first-steps">
          Create a tenant
        </Button>
      </NothingHere>
    </Page>
  )
}
