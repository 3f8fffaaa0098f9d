import { Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ActionButton, DisabledReasonNote } from '../components/action-button.tsx'
import { CopyBox } from '../components/copy-box.tsx'
import { ErrorAlert } from '../components/error-alert.tsx'
import { useConfig } from '../config.ts'
import { useDisabledReason } from '../session/use-disabled-reason.ts'
import { useNotifyingMutation } from '../trpc/mutations.ts'
import { useTrpc } from '../trpc/trpc.ts'
import { useLatestVerification } from './first-verification-step.tsx'
import { Step } from './step.tsx'

/** The new key is stored in this component's state only. */
export function StartVerificationStep() {
  const { baseUrl } = useConfig()
  const [apiKey, setApiKey] = useState<string>()
  const disabledReason = useDisabledReason('keys')
  const trpc = useTrpc()
  const queryClient = useQueryClient()
  const isStarted = useLatestVerification().data?.items.length === 1
  const create = useNotifyingMutation({
    mutation: trpc.apiKeys.create.mutationOptions({ gcTime: 0 }),
    onSuccess: created => {
      setApiKey(created.apiKey)
      return queryClient.invalidateQueries({ queryKey: trpc.apiKeys.pathKey() })
    },
  })
  return (
    <Step title="Start a verification" state={apiKey || isStarted ? 'done' : 'todo'}>
      {apiKey ? (
        <Text size="sm">
          The command contains your new API key. Store the key now: it won't be shown again. Then run the
          command in a terminal.
        </Text>
      ) : (
        <>
          <Text size="sm">Create an API key, then run this command in a terminal.</Text>
          <div>
            <ActionButton
              disabledReason={disabledReason}
              loading={create.isPending}
              onClick={() => create.mutate({ name: 'First steps' })}
            >
              Create key
            </ActionButton>
          </div>
          <DisabledReasonNote reason={disabledReason} />
        </>
      )}
      {create.error && <ErrorAlert error={create.error} />}
      <CopyBox value={curlCommand(baseUrl, apiKey ?? 'YOUR_API_KEY')} label="curl command" />
    </Step>
  )
}

function curlCommand(baseUrl: string, apiKey: string): string {
  return [
    `curl -X POST ${baseUrl}/verify/start`,
    `-H 'x-tenant-api-key: ${apiKey}'`,
    `-H 'content-type: application/json'`,
    `-d '{}'`,
  ].join(' \\\n  ')
}
