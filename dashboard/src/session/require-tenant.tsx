import { Button } from '@mantine/core'
import { Link, Outlet } from 'react-router'
import { EmptyState } from '../components/empty-state.tsx'
import { Page } from '../components/page.tsx'
import { useSession } from './session-context.ts'

/** Shows the pages of the tenant in the URL to its members. Everyone else can't tell whether it exists. */
export function RequireTenant() {
  const { membership, memberships } = useSession()
  if (membership) return <Outlet />
  return (
    <Page title="No access to this tenant">
      <EmptyState
        icon="building-off"
        title="You don't have access to this tenant, or it doesn't exist"
        description="Check the link, or ask an owner of the tenant to invite you. You may have to sign in as another user."
      >
        <Button component={Link} to="/">
          {memberships.length > 0 ? 'Go to your tenant' : 'Go to the dashboard'}
        </Button>
      </EmptyState>
    </Page>
  )
}
