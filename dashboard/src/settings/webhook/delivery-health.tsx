import { Alert, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Badge, type Tone } from '../../components/badge.tsx'
import { formatNumber } from '../../components/format-number.ts'
import { Section } from '../../components/page.tsx'
import { QueryState } from '../../components/query-state.tsx'
import { Timestamp } from '../../components/timestamp.tsx'
import { DocsLink } from '../../session/links.tsx'
import { type Outputs, useTrpc } from '../../trpc/trpc.ts'

type Deliveries = Outputs['settings']['deliveries']

const refreshMs = 10_000

export function useDeliveries() {
  const { settings } = useTrpc()
  return useQuery(settings.deliveries.queryOptions(undefined, { staleTime: 0, refetchInterval: refreshMs }))
}

/** What became of the last day's events, and what to do if they were not accepted. */
export function DeliveryHealth({ query }: { query: ReturnType<typeof useDeliveries> }) {
  return (
    <Section title="Last 24 hours">
      <QueryState query={query} loading={null}>
        {({ latestFailure, ...counts }) => (
          <>
            <Counts {...counts} />
            {latestFailure && <LatestFailure key={latestFailure.at} {...latestFailure} />}
          </>
        )}
      </QueryState>
    </Section>
  )
}

/** Counting stops here. */
const countedMax = 10_000

function Counts({ accepted, retrying, givenUp }: Omit<Deliveries, 'latestFailure'>) {
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
    </Group>
  )
}

function LatestFailure({ at, description, remedy }: NonNullable<Deliveries['latestFailure']>) {
  return (
    <Alert color="orange" title={`Latest failure: ${description}`}>
      <Text>
        <Timestamp at={at} seconds />. {remedy}{' '}
        <DocsLink to="network#to-webhook-receivers">What each reason means</DocsLink>
      </Text>
    </Alert>
  )
}
