import { Page } from '../components/page.tsx'
import { useSession } from '../session/session-context.ts'
import { CreateTenant } from './create-tenant.tsx'
import { TenantSteps } from './tenant-steps.tsx'

export function FirstStepsPage() {
  const { membership } = useSession()
  return (
    <Page title="Get started" description="From an API key to the first result in your backend.">
      {membership ? <TenantSteps key={membership.tenantId} /> : <CreateTenant />}
    </Page>
  )
}
