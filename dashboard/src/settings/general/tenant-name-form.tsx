import { TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useConsole } from '../../console/console.ts'
import { GuardedButton } from '../../feedback/guarded-button.tsx'
import { tell } from '../../feedback/tell.ts'
import { useObstacle } from '../../session/rights.ts'
import { useSession } from '../../session/session-context.ts'
import { FieldForm } from '../field-form.tsx'

const nameLengthMax = 200

export function TenantNameForm({ name }: { name: string }) {
  const [typed, setTyped] = useState(name)
  const obstacle = useObstacle('tenant')
  const { refresh } = useSession()
  const console = useConsole()
  const queryClient = useQueryClient()
  const rename = useMutation(
    console.tenant.update.mutationOptions({
      onSuccess: tenant => {
        setTyped(tenant.name)
        queryClient.setQueryData(console.tenant.get.queryKey(), tenant)
        tell('The name is saved.')
        return refresh()
      },
    }),
  )
  return (
    <FieldForm
      onSubmit={() => rename.mutate({ name: typed.trim() })}
      obstacle={obstacle}
      error={rename.error}
      field={
        <TextInput
          label="Name"
          value={typed}
          maxLength={nameLengthMax}
          readOnly={obstacle !== undefined}
          onChange={event => setTyped(event.currentTarget.value)}
        />
      }
      buttons={
        <GuardedButton
          type="submit"
          loading={rename.isPending}
          obstacle={obstacle ?? unchanged(typed.trim(), name)}
        >
          Save name
        </GuardedButton>
      }
    />
  )
}

function unchanged(typed: string, name: string): string | undefined {
  if (typed === '') return 'A tenant needs a name.'
  return typed === name ? 'This is the name already.' : undefined
}
