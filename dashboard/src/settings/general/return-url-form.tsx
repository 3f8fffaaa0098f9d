import { TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useConsole } from '../../console/console.ts'
import { GuardedButton } from '../../feedback/guarded-button.tsx'
import { tell } from '../../feedback/tell.ts'
import { useObstacle } from '../../session/rights.ts'
import { FieldForm } from '../field-form.tsx'

export function ReturnUrlForm({ url }: { url: string | null }) {
  const [typed, setTyped] = useState(url ?? '')
  const obstacle = useObstacle('settings')
  const console = useConsole()
  const queryClient = useQueryClient()
  const save = useMutation(
    console.settings.setReturnUrl.mutationOptions({
      onSuccess: settings => {
        queryClient.setQueryData(console.settings.get.queryKey(), settings)
        setTyped(settings.returnUrl ?? '')
        tell(settings.returnUrl ? 'The return address is saved.' : 'The return address is removed.')
      },
    }),
  )
  const fault = addressFault(typed.trim())
  return (
    <FieldForm
      onSubmit={() => !fault && save.mutate({ url: typed.trim() || null })}
      obstacle={obstacle}
      error={save.error}
      field={
        <TextInput
          label="Return address"
          description="Starts with https://. Leave it empty to let users stay with the identity provider."
          placeholder="https://www.example.com/checked"
          type="url"
          value={typed}
          error={fault}
          spellCheck={false}
          readOnly={obstacle !== undefined}
          onChange={event => setTyped(event.currentTarget.value)}
        />
      }
      buttons={
        <GuardedButton
          type="submit"
          loading={save.isPending}
          obstacle={obstacle ?? (typed.trim() === (url ?? '') ? 'Nothing has changed.' : undefined)}
        >
          Save address
        </GuardedButton>
      }
    />
  )
}

function addressFault(typed: string): string | undefined {
  if (typed === '' || /^https:\/\/[^/\s]/i.test(typed) || 'https://'.startsWith(typed)) return undefined
  return 'The address must start with https:// and name a host.'
}
