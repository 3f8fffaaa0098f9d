import { Text } from '@mantine/core'
import { Step } from './step.tsx'

/** What comes once there is a tenant. */
export function UpcomingSteps() {
  return (
    <>
      <Step title="Start a verification" state="todo">
        <Text size="sm" c="dimmed">
          With an API key and one request from your backend.
        </Text>
      </Step>
      <Step title="See the first verification arrive" state="todo" />
      <Step title="Be told the results" state="todo">
        <Text size="sm" c="dimmed">
          With a webhook, instead of asking for the status again and again.
        </Text>
      </Step>
    </>
  )
}
