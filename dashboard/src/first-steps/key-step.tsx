import { Anchor, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link } from 'react-router'
import { CreateKeyForm } from '../api-keys/create-key-form.tsx'
import { KeyDialog } from '../api-keys/key-dialog.tsx'
import { ActionButton, DisabledReasonNote } from '../components/action-button.tsx'
import { Timestamp } from '../components/timestamp.tsx'
import { useTenantPath } from '../session/tenant-path.ts'
import { useDisabledReason } from '../session/use-disabled-reason.ts'
import type { Onboarding } from './onboarding.ts'

/** Creates the first key. */
export function KeyStep({ apiKey }: Pick<Onboarding, 'apiKey'>) {
  const [creating, { open, close }] = useDisclosure()
  const disabledReason = useDisabledReason('keys')
  const tenantPath = useTenantPath()
  return (
    <Stack align="flex-start">
      {apiKey ? (
        <Text size="sm">
          This tenant has an API key, created on <Timestamp at={apiKey.createdAt} />.{' '}
          <Anchor component={Link} to={tenantPath('/api-keys')} inherit underline="always">
            Manage API keys
          </Anchor>
        </Text>
      ) : (
        <>
          <Text size="sm">
            Your backend sends an API key with each request. It must never reach a browser or an app.
          </Text>
          <ActionButton disabledReason={disabledReason} onClick={open}>
            Create API key
          </ActionButton>
          <DisabledReasonNote reason={disabledReason} />
        </>
      )}
      <KeyDialog opened={creating} onClose={close} title="Create API key">
        {onCreated => <CreateKeyForm onCreated={onCreated} onCancel={close} />}
      </KeyDialog>
    </Stack>
  )
}
