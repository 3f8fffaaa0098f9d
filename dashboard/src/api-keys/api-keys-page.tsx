import { useDisclosure } from '@mantine/hooks'
import { IconKey, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useConsole } from '../console/console.ts'
import { GuardedButton } from '../feedback/guarded-button.tsx'
import { NothingHere } from '../feedback/nothing-here.tsx'
import { ObstacleNote } from '../feedback/obstacle-note.tsx'
import { RefusalAlert } from '../feedback/refusal-alert.tsx'
import { Page } from '../page/page.tsx'
import { useObstacle } from '../session/rights.ts'
import { CreateKeyDialog } from './create/create-key-dialog.tsx'
import { KeyTable } from './key-table.tsx'

export function ApiKeysPage() {
  const { data, error, refetch } = useQuery(useConsole().apiKeys.list.queryOptions())
  const [creating, { open, close }] = useDisclosure()
  const obstacle = useObstacle('keys')
  const createButton = (
    <GuardedButton obstacle={obstacle} leftSection={<IconPlus size={16} aria-hidden />} onClick={open}>
      Create key
    </GuardedButton>
  )
  return (
    <Page
      title="API keys"
      description="Your backend sends one in the header x-tenant-api-key. Keep them out of browsers, apps and version control."
      actions={createButton}
    >
      <ObstacleNote obstacle={obstacle} />
      {error && !data ? (
        <RefusalAlert error={error} onRetry={refetch} />
      ) : data?.items.length === 0 ? (
        <NothingHere
          Icon={IconKey}
          title="No API keys yet"
          description="A key lets your backend start verifications, read their status and validate tokens."
        />
      ) : (
        <KeyTable rows={data?.items} obstacle={obstacle} />
      )}
      <CreateKeyDialog opened={creating} onClose={close} />
    </Page>
  )
}
