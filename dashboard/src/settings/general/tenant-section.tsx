import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useConsole } from '../../console/console.ts'
import { CopyableText } from '../../copy/copyable-text.tsx'
import { FactList } from '../../facts/fact-list.tsx'
import { RefusalAlert } from '../../feedback/refusal-alert.tsx'
import { Section } from '../../page/section.tsx'
import { TenantNameForm } from './tenant-name-form.tsx'

export function TenantSection() {
  const { data, error, refetch } = useQuery(useConsole().tenant.get.queryOptions())
  return (
    <Section title="Tenant">
      {error && !data ? (
        <RefusalAlert error={error} onRetry={refetch} />
      ) : data ? (
        <>
          <FactList
            facts={[{ name: 'Tenant id', value: <CopyableText value={data.tenantId} label="tenant id" /> }]}
          />
          <TenantNameForm name={data.name} />
        </>
      ) : (
        <Skeleton height={158} />
      )}
    </Section>
  )
}
