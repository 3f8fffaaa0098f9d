import { Anchor, Group, Skeleton, Stack, Text } from '@mantine/core'
import { Link } from 'react-router'
import { formatNumber, formatShare } from '../components/format-number.ts'
import { Meter } from '../components/meter.tsx'
import { Section } from '../components/page.tsx'
import { formatDays } from './format.ts'
import type { PeriodUsage, Summary } from './metrics.ts'
import { useListPath } from './series.tsx'

/** In pixels. */
const funnelHeight = { wide: 246, narrow: 300 }

/** How far the users of the verifications that ended came, and where they gave up. */
export function FunnelSection({ summary }: { summary: Summary | undefined }) {
  return (
    <Section
      title="Where users give up"
      description={
        summary
          ? `Verifications that ended from ${formatDays(summary.current)} (UTC), whenever they were started.`
          : 'Verifications that ended, whenever they were started.'
      }
    >
      {summary ? (
        <Stack gap="lg">
          <Funnel usage={summary.current} />
          <StillOpen open={summary.open} />
        </Stack>
      ) : (
        <Skeleton h={{ base: funnelHeight.narrow, xs: funnelHeight.wide }} />
      )}
    </Section>
  )
}

interface Step {
  label: string
  count: number
  /** What happened to those of the step before that are not in this one. */
  lost: string
}

function Funnel({ usage }: { usage: PeriodUsage }) {
  if (usage.ended === 0) return <Text size="sm">No verification ended in this period.</Text>
  const steps: Step[] = [
    { label: 'Ended', count: usage.ended, lost: '' },
    { label: 'Opened', count: usage.opened, lost: 'never opened it' },
    { label: 'Submitted', count: usage.submitted, lost: 'left before submitting' },
    { label: 'Decided', count: usage.decided, lost: 'had no decision' },
  ]
  return (
    <Stack component="ol" gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
      {steps.map(({ label, count, lost }, index) => {
        const dropped = (steps[index - 1]?.count ?? count) - count
        return (
          <li key={label}>
            <Group justify="space-between" gap="xs">
              <Text size="sm">
                {label} <b>{formatNumber(count)}</b> ({formatShare(count, usage.ended)})
              </Text>
              {lost && (
                <Text size="sm" c="dimmed">
                  {formatNumber(dropped)} ({formatShare(dropped, usage.ended)}) {lost}
                </Text>
              )}
            </Group>
            <Meter parts={[{ name: label, share: count / usage.ended, color: 'var(--waiting)' }]} />
          </li>
        )
      })}
    </Stack>
  )
}

const openStates = [
  { status: 'pending', label: 'not opened yet' },
  { status: 'started', label: 'in the check' },
  { status: 'submitted', label: 'in review' },
  { status: 'resubmission', label: 'asked to submit again' },
] as const

/** They are in no metric above, because they can still go on. */
function StillOpen({ open }: { open: Summary['open'] }) {
  const listPath = useListPath()
  return (
    <Text size="sm" component="div">
      Still open, and not counted above:{' '}
      {openStates.map(({ status, label }, index) => (
        <span key={status}>
          {index > 0 && ', '}
          <Anchor
            component={Link}
            to={listPath({ statuses: [status], state: 'open' })}
            inherit
            underline="always"
          >
            {formatOpen(open[status])} {label}
          </Anchor>
        </span>
      ))}
      .
    </Text>
  )
}

/** How many of each status are counted at most. */
const openMax = 10_000

function formatOpen(count: number): string {
  return count >= openMax ? `${formatNumber(count)} or more` : formatNumber(count)
}
