import { Anchor, Skeleton, Stack, Text } from '@mantine/core'
import { Link } from 'react-router'
import { formatNumber, formatShare } from '../components/format-number.ts'
import { Meter } from '../components/meter.tsx'
import { Section } from '../components/page.tsx'
import type { Summary } from './metrics.ts'
import { ageSeries, Swatch, useListPath } from './series.tsx'

/** The ages of the users whose identity was confirmed. Approved does not mean 18 or over. */
export function AgeSection({ summary }: { summary: Summary | undefined }) {
  return (
    <Section
      title="Approved by age"
      description="Approved does not mean 18 or over: minors pass the identity check, too."
    >
      {summary ? <Ages usage={summary.current} /> : <Skeleton h={120} />}
    </Section>
  )
}

function Ages({ usage }: { usage: Summary['current'] }) {
  const listPath = useListPath()
  const { from, to, approved } = usage
  if (approved === 0) return <Text size="sm">No verification was approved in this period.</Text>
  return (
    <Stack gap="sm">
      <Meter
        parts={ageSeries.map(({ count, color }) => ({ name: count, share: usage[count] / approved, color }))}
      />
      <Stack component="ul" gap={4} m={0} p={0} style={{ listStyle: 'none' }}>
        {ageSeries.map(({ count, label, color, filter }) => (
          <Text key={count} size="sm" component="li">
            <Swatch color={color} />
            <Anchor component={Link} to={listPath({ ...filter, from, to })} inherit underline="always">
              {label}
            </Anchor>{' '}
            <b>{formatNumber(usage[count])}</b> ({formatShare(usage[count], approved)})
          </Text>
        ))}
      </Stack>
    </Stack>
  )
}
