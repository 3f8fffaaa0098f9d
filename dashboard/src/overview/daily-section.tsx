import { SegmentedControl, Skeleton, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { useConsole } from '../../console/console.ts'
import { RefusalAlert } from '../../feedback/refusal-alert.tsx'
import { Section } from '../../page/section.tsx'
import { chartHeight, DailyChart } from './daily-chart.tsx'
import { DailyTable } from './daily-table.tsx'
import { rangeInput, rangeNamed, ranges } from './range.ts'

export function DailySection() {
  const [params, setParams] = useSearchParams()
  const range = rangeNamed(params.get('range'))
  const { data, error, refetch } = useQuery({
    ...useConsole().usage.daily.queryOptions(rangeInput(range, new Date())),
    placeholderData: keepPreviousData,
  })
  return (
    <Section
      title="Results per day"
      description="Verifications by the UTC day on which they were completed."
      actions={
        <SegmentedControl
          aria-label="Days shown"
          size="xs"
          data={ranges.map(({ value, label }) => ({ value, label }))}
          value={range.value}
          onChange={value => setParams({ range: value }, { replace: true, preventScrollReset: true })}
        />
      }
    >
      {error && !data ? (
        <RefusalAlert error={error} onRetry={refetch} />
      ) : data ? (
        <>
          <DailyChart days={data.items} />
          <DailyTable days={data.items} />
        </>
      ) : (
        <>
          <Skeleton height={chartHeight} />
          <Text size="sm">&nbsp;</Text>
        </>
      )}
    </Section>
  )
}
