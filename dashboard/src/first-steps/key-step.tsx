import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { ActionButton, DisabledReasonNote } from '../components/action-button.tsx'
import { CopyBox } from '../components/copy-box.tsx'
import { ErrorAlert } from '../components/error-alert.tsx'
import { LeaveGuard } from '../components/leave-guard.tsx'
import { Timestamp } from '../components/timestamp.tsx'
import { useTenantPath } from '../session/tenant-path.ts'
import { useDisabledReason } from '../session/use-disabled-reason.ts'
import { useNotifyingMutation } from '../trpc/mutations.ts'
import { useTrpc } from '../trpc/trpc.ts'
import type { Onboarding } from './onboarding.ts'

/** Creates the first key, which is stored in this component's state only. */
export function KeyStep({ apiKey: existing }: Pick<Onboarding, 'apiKey'>) {
  const [apiKey, setApiKey] = useState<string>()
  const trpc = useTrpc()
  const queryClient = useQueryClient()
  const disabledReason = useDisabledReason('keys')
  const create = useNotifyingMutation({
    mutation: trpc.apiKeys.create.mutationOptions({ gcTime: 0 }),
    onSuccess: created => {
      setApiKey(created.apiKey)
      return Promise.all([
        queryClient.invalidateQueries(trpc.apiKeys.pathFilter()),
        queryClient.invalidateQueries(trpc.tenant.onboarding.pathFilter()),
      ])
    },
  })
  if (apiKey !== undefined) return <NewKey apiKey={apiKey} onStored={() => setApiKey(undefined)} />
  if (existing) return <ExistingKey createdAt={existing.createdAt} />
  return (
    <Stack align="flex-start">
      <Text size="sm">
        Your backend sends an API key with each request. It must never reach a browser or an app.
      </Text>
      <ActionButton
        disabledReason={disabledReason}
        loading={create.isPending}
        onClick={() => create.mutate({ name: 'Get started' })}
      >
        Create API key
      </ActionButton>
      <DisabledReasonNote reason={disabledReason} />
      {create.error && <ErrorAlert error={create.error} />}
    </Stack>
  )
}

function NewKey({ apiKey, onStored }: { apiKey: string; onStored: () => void }) {
  const [isCopied, setCopied] = useState(false)
  return (
    <Stack>
      <Alert color="orange" variant="light" role="status" title="Store this API key now">
        It is shown only once. Keep it in a secret manager or in an environment variable of your backend.
      </Alert>
      <CopyBox value={apiKey} label="API key" takesFocus onCopied={() => setCopied(true)} />
      <Group>
        <Button onClick={onStored}>I've stored the key</Button>
      </Group>
      <LeaveGuard when={!isCopied} title="Leave without the API key?" leaveLabel="Leave without the key">
        <Text size="sm">
          You haven't copied the new API key. If you leave this page, it can't be shown again, and stays
          active until you revoke it.
        </Text>
      </LeaveGuard>
    </Stack>
  )
}

function ExistingKey({ createdAt }: { createdAt: string }) {
  const tenantPath = useTenantPath()
  return (
    <Text size="sm">
      This tenant has an API key, created on <Timestamp at={createdAt} />.{' '}
      <Anchor component={Link} to={tenantPath('/api-keys')} inherit underline="always">
        Manage API keys
      </Anchor>
    </Text>
  )
}
