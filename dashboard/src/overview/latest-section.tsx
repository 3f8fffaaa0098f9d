import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { Link } from 'react-router'
import { Section } from '../components/page.tsx'
import { QueryState } from '../components/query-state.tsx'
import { useTenantPath } from '../session/tenant-path.ts'
import { useTrpc } from '../trpc/trpc.ts'
import { NoVerifications, VerificationTable } from '../verifications/verification-table.tsx'

const rowsShown = 5
const refreshMs = 10_000

export function LatestSection() {
  const toPath = useTenantPath()
  const query = useQuery(
    useTrpc().verifications.list.queryOptions({ limit: rowsShown }, { refetchInterval: refreshMs }),
  )
  return (
    <Section
      title="Latest verifications"
      actions={
        <Anchor component={Link} to={toPath('/verifications')} size="sm">
          View all
        </Anchor>
      }
    >
      <QueryState query={query} loading={<Latest rows={undefined} />}>
        {({ items }) => (items.length === 0 ? <NoVerifications /> : <Latest rows={items} />)}
      </QueryState>
    </Section>
  )
}

function Latest({ rows }: Pick<ComponentProps<typeof VerificationTable>, 'rows'>) {
  return <VerificationTable label="Latest verifications" rows={rows} loadingRows={rowsShown} />
}
