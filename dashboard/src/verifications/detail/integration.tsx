import { Anchor, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import type { Status } from '../../../../rest/verify/verification-status.ts'
import { CopyBox } from '../../components/copy-box.tsx'
import { Timestamp } from '../../components/timestamp.tsx'
import { useConfig } from '../../config.ts'
import { useTenantPath } from '../../session/session-context.ts'
import type { Outputs } from '../../trpc/trpc.ts'

type Verification = Outputs['verifications']['get']

/** What the tenant's own programs get of a verification: the webhook event, and the answer of the API. */
export function Integration({ verification }: { verification: Verification }) {
  return (
    <>
      <WebhookEvent verification={verification} />
      <ApiResponse verification={verification} />
    </>
  )
}

/** What became of the event, which is known for 24 hours, and what a receiver must do. */
function WebhookEvent({
  verification: { completedAt, hasWebhook, delivery },
}: {
  verification: Verification
}) {
  const { baseUrl } = useConfig()
  const toPath = useTenantPath()
  return (
    <Stack component="section" aria-labelledby="webhook" gap="xs">
      <Title order={3} id="webhook">
        Webhook
      </Title>
      <Text size="sm">
        {delivery ? <DeliveryState delivery={delivery} /> : <span>{eventOf(completedAt, hasWebhook)}</span>}
      </Text>
      <Text size="sm" c="dimmed">
        <Anchor href={`${baseUrl}/docs/webhooks`} target="_blank" rel="noreferrer" inherit underline="always">
          Events that never arrive
        </Anchor>
        {' · '}
        <Anchor component={Link} to={toPath('/settings/webhook')} inherit underline="always">
          Webhook settings
        </Anchor>
      </Text>
    </Stack>
  )
}

const attemptsMax = 3
const listed = 'No webhook URL was set when it completed: GET /test/events has the event for 24 hours.'

/** Drawn anew for each state, as a translated page keeps the words that it has. */
function DeliveryState({ delivery }: { delivery: NonNullable<Verification['delivery']> }) {
  const { state, attempts, attemptedAt, dueAt, failure } = delivery
  const at = attemptedAt && <Timestamp at={attemptedAt} seconds />
  const attempt = `Attempt ${attempts} of ${attemptsMax}`
  const key = `${state} ${attempts}`
  if (state === 'delivered' && !at) return <span key={key}>{listed}</span>
  if (state === 'delivered') {
    return (
      <span key={key}>
        Your receiver accepted the event: {at}, attempt {attempts} of {attemptsMax}.
      </span>
    )
  }
  if (state === 'failed') {
    return (
      <span key={key}>
        The event was given up after {attempts} of {attemptsMax} attempts: {failure?.description}
        {at && <>, {at}</>}. {failure?.remedy}
      </span>
    )
  }
  if (state === 'in_flight') return <span key={key}>{attempt} to send the event is under way.</span>
  if (!failure) return <span key={key}>The event is about to be sent.</span>
  return (
    <span key={key}>
      {attempt} failed: {failure.description}, {at}. The next one is due at <Timestamp at={dueAt} seconds />.{' '}
      {failure.remedy}
    </span>
  )
}

function eventOf(completedAt: string | null, hasWebhook: boolean | null): string {
  if (completedAt === null) return 'The event is sent when it is completed.'
  if (hasWebhook === null) return 'Whether a webhook URL was set when it completed is not recorded.'
  return hasWebhook
    ? 'A webhook URL was set when it completed. What became of the event is known for 24 hours.'
    : 'No webhook URL was set when it completed: no event was sent.'
}

/** `GET /verify/status`. The token is left out until it is opened. */
function ApiResponse({ verification }: { verification: Verification }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={event => setOpen(event.currentTarget.open)}>
      <Text component="summary" size="sm" fw={600}>
        What GET /verify/status returns
      </Text>
      {isOpen && (
        <CopyBox value={JSON.stringify(toStatus(verification), null, 2)} label="status as JSON" isCode />
      )}
    </details>
  )
}

/** A field that the API is given has to be given here. A token of a key that is not stored does not count. */
function toStatus({ token, ...verification }: Verification): Record<keyof Status, unknown> {
  const { verificationId, status, confidence, over18, createdAt, completedAt, tokenRevokedAt } = verification
  return {
    verificationId,
    status,
    confidence,
    over18: completedAt ? token && over18 : undefined,
    createdAt,
    completedAt,
    token: token && !token.revokedAt ? (token.jwt ?? 'only for members who may copy it') : undefined,
    tokenRevokedAt: tokenRevokedAt ?? undefined,
  }
}

/** A tenant can't erase by itself. */
export function ErasureNote() {
  const { baseUrl } = useConfig()
  return (
    <Text size="sm" c="dimmed">
      To erase this person's data, send the verification ID to the operator of this service.{' '}
      <Anchor href={`${baseUrl}/docs/privacy`} target="_blank" rel="noreferrer" inherit underline="always">
        Access and erasure
      </Anchor>
    </Text>
  )
}
