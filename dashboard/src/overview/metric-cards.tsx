import { Card, Group, Skeleton, Text } from '@mantine/core'
import { formatDays } from './format.ts'
import { type Metric, metricsOf, type Summary } from './metrics.ts'

const cardCount = 5
const cardHeight = 142
/** Five in a row where there is room, two on a phone. */
const cardFlex = '1 1 9.5rem'

export function MetricCards({ summary }: { summary: Summary | undefined }) {
  if (!summary) {
    return (
      <Group gap="sm" align="stretch">
        {Array.from({ length: cardCount }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: placeholders are never reordered.
          <Skeleton key={index} height={cardHeight} flex={cardFlex} w="auto" />
        ))}
      </Group>
    )
  }
  const before = formatDays(summary.previous)
  return (
    <Group gap="sm" align="stretch">
      {metricsOf(summary).map(metric => (
        <Card key={metric.label} withBorder padding="md" mih={cardHeight} flex={cardFlex}>
          <Text size="sm" c="dimmed">
            {metric.label}
          </Text>
          <Text fz="1.5rem" fw={600}>
            {metric.value}
          </Text>
          <Text size="xs" c="dimmed">
            {metric.basis}
          </Text>
          <Comparison change={metric.change} before={before} />
        </Card>
      ))}
    </Group>
  )
}

const arrows = { up: '▲', down: '▼', same: '=' }

function Comparison({ change, before }: { change: Metric['change']; before: string }) {
  if (!change) {
    return (
      <Text size="xs" c="dimmed" mt="auto">
        No comparison: nothing in {before}
      </Text>
    )
  }
  return (
    <Text size="xs" mt="auto">
      <span aria-hidden>{arrows[change.direction]} </span>
      <b>{change.text}</b>{' '}
      <Text span inherit c="dimmed">
        from {change.before}
      </Text>
    </Text>
  )
}
