import { Button } from '@mantine/core'
import { Link } from 'react-router'
import { EmptyState } from '../components/empty-state.tsx'
import { useMembership, useTenantPath } from '../session/session-context.ts'

/** Instead of what a tenant without verifications doesn't have. */
export function NoVerifications() {
  const toPath = useTenantPath()
  const canAct = useMembership().rights.includes('keys')
  return (
    <EmptyState
      icon="list-check"
      title="No verifications yet"
      description="Verifications that your backend starts with POST /verify/start will appear here."
    >
      <Button component={Link} to={toPath('/first-steps')} variant={canAct ? 'filled' : 'default'}>
        {canAct ? 'Start your first verification' : 'See the first steps'}
      </Button>
    </EmptyState>
  )
}
