import { Stack, Text, Title } from '@mantine/core'
import { Timestamp } from '../../components/timestamp.tsx'
import { DocsLink, TenantLink } from '../../session/links.tsx'
import type { Outputs } from '../../trpc/trpc.ts'

type Verification = Outputs['verifications']['get']

/** What became of the event, which is known for 24 hours, and what a receiver must do. Nothing where it is not recorded. */
export function WebhookEvent({ verification }: { verification: Verification }) {
  const { completedAt, hasWebhook, delivery } = verification
  if (completedAt !== null && hasWebhook === null && !delivery) return null
  return (
    <Stack component="section" aria-labelledby="webhook" gap="xs">
      <Title order={3} id="webhook">
        Webhook
      </Title>
      {/* Drawn anew for each state, as a translated page keeps the words that it has. */}
      <Text key={delivery ? `${delivery.state} ${delivery.attempts}` : completedAt}>
        {delivery ? <DeliveryState delivery={delivery} /> : eventOf(completedAt, hasWebhook)}
      </Text>
      <Text c="dimmed">
        <DocsLink to="webhooks">Events that never arrive</DocsLink>
        {' · '}
        <TenantLink to="/settings/webhook">Webhook settings</TenantLink>
      </Text>
    </Stack>
  )
}

const attemptsMax = 3

function DeliveryState({ delivery }: { delivery: NonNullable<Verification['delivery']> }) {
  const { state, attempts, attemptedAt, dueAt, failure } = delivery
  const at = attemptedAt && <Timestamp at={attemptedAt} seconds />
  const attempt = `${attempts} of ${attemptsMax}`
  if (state === 'in_flight') return `Attempt ${attempt} to send the event is under way.`
  if (state === 'delivered') {
    if (!at) return 'No webhook URL was set when it completed: GET /test/events has the event for 24 hours.'
    return (
      <>
        Your receiver accepted the event: {at}, attempt {attempt}.
      </>
    )
  }
  if (state === 'failed') {
    return (
      <>
        The event was given up after {attempt} attempts: {failure?.description}
        {at && <>, {at}</>}. {failure?.remedy}
      </>
    )
  }
  if (!failure) return 'The event is about to be sent.'
  return (
    <>
      Attempt {attempt} failed: {failure.description}, {at}. The next one is due at <Timestamp at={dueAt} seconds />.{' '}
      {failure.remedy}
    </>
  )
}

function eventOf(completedAt: string | null, hasWebhook: boolean | null): string {
  if (completedAt === null) return 'The event is sent when it is completed.'
  return hasWebhook
    ? 'A webhook URL was set when it completed. What became of the event is known for 24 hours.'
    : 'No webhook URL was set when it completed: no event was sent.'
}
