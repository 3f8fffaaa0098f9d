import { Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useConfig } from '../config/config-context.ts'
import { useConsole } from '../console/console.ts'
import { CopyBox } from '../copy/copy-box.tsx'
import { GuardedButton } from '../feedback/guarded-button.tsx'
import { ObstacleNote } from '../feedback/obstacle-note.tsx'
import { RefusalAlert } from '../feedback/refusal-alert.tsx'
import { useObstacle } from '../session/rights.ts'
import { curlLine } from './curl-line.ts'
import { FirstVerification } from './first-verification.tsx'
import { Step } from './step.tsx'
import { useLatestVerification } from './use-latest-verification.ts'

/** The key is in this component's memory only: it is gone with the page, as everywhere else. */
export function FirstCall() {
  const { baseUrl } = useConfig()
  const [apiKey, setApiKey] = useState<string>()
  const obstacle = useObstacle('keys')
  const console = useConsole()
  const queryClient = useQueryClient()
  const isCalled = useLatestVerification().data?.items.length === 1
  const create = useMutation(
    console.apiKeys.create.mutationOptions({
      gcTime: 0,
      onSuccess: created => {
        setApiKey(created.apiKey)
        return queryClient.invalidateQueries({ queryKey: console.apiKeys.pathKey() })
      },
    }),
  )
  return (
    <>
      <Step title="Start a verification" state={apiKey || isCalled ? 'done' : 'todo'}>
        {apiKey ? (
          <Text size="sm">
            The key is in this line. Store it now: it is not shown again. Then paste the line into a terminal.
          </Text>
        ) : (
          <>
            <Text size="sm">Make a key, and paste the line that you get into a terminal.</Text>
            <div>
              <GuardedButton
                obstacle={obstacle}
                loading={create.isPending}
                onClick={() => create.mutate({ name: 'First steps' })}
              >
                Make a key
              </GuardedButton>
            </div>
            <ObstacleNote obstacle={obstacle} />
          </>
        )}
        {create.error && <RefusalAlert error={create.error} />}
        <CopyBox value={curlLine(baseUrl, apiKey ?? 'YOUR_API_KEY')} label="curl line" />
      </Step>
      <FirstVerification />
    </>
  )
}
