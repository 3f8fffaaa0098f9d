import { Text } from '@mantine/core'
import { Page } from '../components/page.tsx'
import { useSession } from '../session/session-context.ts'
import { CreateTenantStep } from './create-tenant-step.tsx'
import { FirstVerificationStep } from './first-verification-step.tsx'
import { StartVerificationStep } from './start-verification-step.tsx'
import { Step, StepList } from './step.tsx'
import { WebhookStep } from './webhook-step.tsx'

export function FirstStepsPage() {
  const { membership } = useSession()
  return (
    <Page title="First steps" description="Start your first verification in about two minutes.">
      <StepList>
        <CreateTenantStep />
        {membership ? (
          <>
            <StartVerificationStep />
            <FirstVerificationStep />
            <WebhookStep />
          </>
        ) : (
          <UpcomingSteps />
        )}
      </StepList>
    </Page>
  )
}

/** The steps that need a tenant. */
function UpcomingSteps() {
  return (
    <>
      <Step title="Start a verification" state="todo">
        <Text size="sm" c="dimmed">
          Create an API key and send one request from your backend.
        </Text>
      </Step>
      <Step title="View your first verification" state="todo" />
      <Step title="Receive webhook events" state="todo">
        <Text size="sm" c="dimmed">
          Get the results as they happen, instead of polling for them.
        </Text>
      </Step>
    </>
  )
}
