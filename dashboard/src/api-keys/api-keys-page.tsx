import { useDisclosure } from '@mantine/hooks'
import { IconKey, IconPlus } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ActionButton, DisabledReasonNote } from '../components/action-button.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { ErrorAlert } from '../components/error-alert.tsx'
import { Page } from '../components/page.tsx'
import { Pager, usePaging } from '../components/pager.tsx'
import { useDisabledReason } from '../session/use-disabled-reason.ts'
import { useTrpc } from '../trpc/trpc.ts'
import { CreateKeyDialog } from './create-key-dialog.tsx'
import { KeyTable } from './key-table.tsx'

const pageSize = 25

export function ApiKeysPage() {
  const paging = usePaging()
  const { data, error, refetch } = useQuery({
    ...useTrpc().apiKeys.list.queryOptions({ limit: pageSize, cursor: paging.cursor }),
    placeholderData: keepPreviousData,
  })
  const [creating, { open, close }] = useDisclosure()
  const disabledReason = useDisabledReason('keys')
  const createButton = (
    <ActionButton
      disabledReason={disabledReason}
      leftSection={<IconPlus size={16} aria-hidden />}
      onClick={open}
    >
      Create key
    </ActionButton>
  )
  return (
    <Page
      title="API keys"
      description="Your backend authenticates with a key in the x-tenant-api-key header. Never put keys into browsers, apps or version control."
      actions={createButton}
    >
      <DisabledReasonNote reason={disabledReason} />
      {error && !data ? (
        <ErrorAlert error={error} onRetry={refetch} />
      ) : data?.items.length === 0 && !paging.cursor ? (
        <EmptyState
          Icon={IconKey}
          title="No API keys yet"
          description="Your backend needs a key to start verifications, read their status and validate tokens."
        />
      ) : (
        <KeyTable rows={data?.items} disabledReason={disabledReason} />
      )}
      <Pager paging={paging} nextCursor={data?.nextCursor} label="API key pages" />
      <CreateKeyDialog opened={creating} onClose={close} />
    </Page>
  )
}
