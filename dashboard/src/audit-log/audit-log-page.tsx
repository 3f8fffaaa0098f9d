import { IconHistory } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useConsole } from '../console/console.ts'
import { NothingHere } from '../feedback/nothing-here.tsx'
import { RefusalAlert } from '../feedback/refusal-alert.tsx'
import { Page } from '../page/page.tsx'
import { Pager } from '../table/pager.tsx'
import { usePaging } from '../table/use-paging.ts'
import { AuditTable } from './audit-table.tsx'

const pageSize = 25

export function AuditLogPage() {
  const paging = usePaging()
  const { data, error, refetch } = useQuery({
    ...useConsole().audit.list.queryOptions({ limit: pageSize, cursor: paging.cursor }),
    placeholderData: keepPreviousData,
  })
  return (
    <Page title="Audit log" description="Who changed or revealed what in this tenant, the newest first.">
      {error && !data ? (
        <RefusalAlert error={error} onRetry={refetch} />
      ) : data?.items.length === 0 ? (
        <NothingHere
          Icon={IconHistory}
          title="Nothing is recorded yet"
          description="Changes to keys, settings, members and tokens are recorded here."
        />
      ) : (
        <AuditTable rows={data?.items} />
      )}
      <Pager paging={paging} nextCursor={data?.nextCursor} label="Pages of the audit log" />
    </Page>
  )
}
