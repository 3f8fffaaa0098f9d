import { Alert, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Badge, type Tone } from '../../components/badge.tsx'
import { CopyBox } from '../../components/copy-box.tsx'
import { CopyableText } from '../../components/copyable-text.tsx'
import { formatNumber } from '../../components/format-number.ts'
import { Section } from '../../components/page.tsx'
import { QueryState } from '../../components/query-state.tsx'
import { Timestamp, ZonedTimes } from '../../components/timestamp.tsx'
import { DocsLink } from '../../session/links.tsx'
import { type Outputs, useTrpc } from '../../trpc/trpc.ts'
import { curlCommand } from './sample-request.ts'

type Deliveries = Outputs['settings']['deliveries']

export function useDeliveries() {
  const { settings } = useTrpc()
  return useQuery(settings.deliveries.queryOptions(undefined, { staleTime: 0, refetchInterval: 10_000 }))
}

/** What became of the last day's events, what to do if they were not accepted, and one to try the receiver with. */
export function DeliveryHealth({ query, url }: { query: ReturnType<typeof useDeliveries>; url: string }) {
  return (
    <Section title="Last 24 hours">
      <QueryState query={query} loading={null}>
        {deliveries => (
          <ZonedTimes>
            <LastAccepted {...deliveries} />
            <Counts {...deliveries} />
            <LatestFailure key={deliveries.latestFailure?.at} {...deliveries} />
          </ZonedTimes>
        )}
      </QueryState>
      <SampleEvent url={url} />
    </Section>
  )
}

function LastAccepted({ acceptedAt, retrying, givenUp }: Deliveries) {
  if (!acceptedAt) return <Text>{retrying + givenUp > 0 ? 'None was accepted.' : 'No event was sent.'}</Text>
  return (
    <Text>
      Last accepted <Timestamp at={acceptedAt} seconds />.
    </Text>
  )
}

/** Counting stops here. */
const countedMax = 10_000

function Counts({ accepted, retrying, givenUp }: Deliveries) {
  const counts: [count: number, tone: Tone, words: string][] = [
    [accepted, 'approved', 'accepted'],
    [retrying, 'waiting', 'being retried'],
    [givenUp, 'denied', 'given up'],
  ]
  return (
    <Group gap="0.25rem 1.5rem">
      {counts.map(([count, tone, words]) => (
        <Badge key={words} tone={count > 0 ? tone : 'neutral'}>
          {`${formatNumber(count)}${count === countedMax ? ' or more' : ''} ${words}`}
        </Badge>
      ))}
      {givenUp > 0 && <DocsLink to="webhooks#events-that-never-arrive">Get what was given up</DocsLink>}
    </Group>
  )
}

function LatestFailure({ acceptedAt, latestFailure, failing }: Deliveries) {
  if (!latestFailure) return null
  const { at, description, remedy } = latestFailure
  const isOver = (acceptedAt ?? '') > at
  return (
    <Alert color={isOver ? 'gray' : 'orange'} title={`Latest failure: ${description}`}>
      {failing && (
        <Text>
          Failing since <Timestamp at={failing.since} seconds />. First failure: {failing.firstDescription}.
        </Text>
      )}
      <Text>
        <Timestamp at={at} seconds />
        {isOver && ', before the last event was accepted'}. {remedy}{' '}
        <DocsLink to="network#to-webhook-receivers">What each reason means</DocsLink>
      </Text>
    </Alert>
  )
}

/** A delivery to this tenant, signed with a secret that is valid for nothing else. */
function SampleEvent({ url }: { url: string }) {
  const query = useQuery(
    useTrpc().settings.sampleEvent.queryOptions(undefined, { staleTime: Number.POSITIVE_INFINITY }),
  )
  return (
    <details>
      <Text component="summary" fw={500} py={4} style={{ cursor: 'pointer' }}>
        Try your receiver with a sample event
      </Text>
      <QueryState query={query} loading={null}>
        {sample => (
          <Stack gap="xs" mt="xs">
            <Text>
              Run it in a shell, which reaches your receiver from there, not from this service. With 2xx, the receiver
              doesn't verify signatures: this event is signed with an example secret. To try a receiver on your machine,
              give it that secret and replace the URL.{' '}
              <DocsLink to="webhooks#receivers-to-copy">Receivers to copy</DocsLink>
            </Text>
            <CopyableText value={sample.secret} label="example secret" />
            <CopyBox value={curlCommand(url, sample)} label="curl command" />
          </Stack>
        )}
      </QueryState>
    </details>
  )
}
