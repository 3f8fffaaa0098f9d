import { Page } from '../page/page.tsx'
import { useSession } from '../session/session-context.ts'
import { FirstCall } from './first-call.tsx'
import { ProvisionTenant } from './provision-tenant.tsx'
import { StepList } from './step-list.tsx'
import { UpcomingSteps } from './upcoming-steps.tsx'
import { WebhookStep } from './webhook-step.tsx'

/** From nothing to the first result. */
export function FirstStepsPage() {
  const { membership } = useSession()
  return (
    <Page title="First steps" description="From nothing to the first verification, in about two minutes.">
      <StepList>
        <ProvisionTenant />
        {membership ? (
          <>
            <FirstCall />
            <WebhookStep />
          </>
        ) : (
          <UpcomingSteps />
        )}
      </StepList>
    </Page>
  )
}
