import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useConsole } from '../console/console.ts'
import { RefusalAlert } from '../feedback/refusal-alert.tsx'
import { Section } from '../page/section.tsx'
import { UsageMeter } from './usage-meter.tsx'

const refreshMs = 30_000

export function UsageSection() {
  const { data, error, refetch } = useQuery({
    ...useConsole().usage.current.queryOptions(),
    refetchInterval: refreshMs,
  })
  return (
    <Section
      title="This month"
      description="Each verification that is started counts once, in its UTC month."
    >
      {error && !data ? (
        <RefusalAlert error={error} onRetry={refetch} />
      ) : data ? (
        <UsageMeter usage={data} />
      ) : (
        <Skeleton height={meterHeight} />
      )}
    </Section>
  )
}

/** That of the meter with one line of text below it, in pixels. */
const meterHeight = 82
