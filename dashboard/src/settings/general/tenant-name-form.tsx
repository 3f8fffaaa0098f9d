import { TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ActionButton } from '../../components/action-button.tsx'
import { FieldForm } from '../../components/field-form.tsx'
import { useSession } from '../../session/session-context.ts'
import { useDisabledReason } from '../../session/use-disabled-reason.ts'
import { useFormMutation } from '../../trpc/mutations.ts'
import { useTrpc } from '../../trpc/trpc.ts'

const nameLengthMax = 200

export function TenantNameForm({ name }: { name: string }) {
  const [value, setValue] = useState(name)
  const disabledReason = useDisabledReason('tenant')
  const { refresh } = useSession()
  const trpc = useTrpc()
  const queryClient = useQueryClient()
  const rename = useFormMutation({
    mutation: trpc.tenant.update.mutationOptions(),
    fields: ['name'],
    successMessage: () => 'Name saved.',
    onSuccess: tenant => {
      setValue(tenant.name)
      queryClient.setQueryData(trpc.tenant.get.queryKey(), tenant)
      return refresh()
    },
  })
  return (
    <FieldForm
      onSubmit={() => rename.mutate({ name: value.trim() })}
      disabledReason={disabledReason}
      error={rename.formError}
      buttons={
        <ActionButton
          type="submit"
          loading={rename.isPending}
          disabledReason={disabledReason ?? reasonNotToSave(value.trim(), name)}
        >
          Save name
        </ActionButton>
      }
    >
      <TextInput
        label="Name"
        value={value}
        error={rename.fieldErrors.name}
        maxLength={nameLengthMax}
        readOnly={disabledReason !== undefined}
        onChange={event => {
          rename.reset()
          setValue(event.currentTarget.value)
        }}
      />
    </FieldForm>
  )
}

function reasonNotToSave(value: string, name: string): string | undefined {
  if (value === '') return 'Enter a name.'
  return value === name ? 'There are no changes to save.' : undefined
}
