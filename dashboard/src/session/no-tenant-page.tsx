import { Button } from '@mantine/core'
import { Link } from 'react-router'
import { EmptyState } from '../components/empty-state.tsx'
import { Page } from '../components/page.tsx'
import { useSession } from './session-context.ts'

/** For users who belong to no tenant. */
export function NoTenantPage() {
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
