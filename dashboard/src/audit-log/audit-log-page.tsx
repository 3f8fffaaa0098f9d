import { IconHistory } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { EmptyState } from '../components/empty-state.tsx'
import { ErrorAlert } from '../components/error-alert.tsx'
import { Page } from '../components/page.tsx'
import { Pager, usePaging } from '../components/pager.tsx'
import { useTrpc } from '../trpc/trpc.ts'
import { AuditTable } from './audit-table.tsx'

const pageSize = 25

export function AuditLogPage() {
  const paging = usePaging()
  const { data, error, refetch } = useQuery({
    ...useTrpc().audit.list.queryOptions({ limit: pageSize, cursor: paging.cursor }),
    placeholderData: keepPreviousData,
  })
  return (
    <Page title="Audit log" description="All changes to this tenant and access to its secrets, newest first.">
      {error && !data ? (
        <ErrorAlert error={error} onRetry={refetch} />
      ) : data?.items.length === 0 ? (
        <EmptyState
          Icon={IconHistory}
          title="No events yet"
          description="Changes to API keys, settings, members and tokens will appear here."
        />
      ) : (
        <AuditTable rows={data?.items} />
      )}
      <Pager paging={paging} nextCursor={data?.nextCursor} label="Audit log pages" />
    </Page>
  )
}
