import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ActionButton } from '../../components/action-button.tsx'
import { FieldForm } from '../../components/field-form.tsx'
import { useDisabledReason } from '../../session/use-disabled-reason.ts'
import { useFormMutation } from '../../trpc/mutations.ts'
import { useTrpc } from '../../trpc/trpc.ts'
import { UrlField } from '../url-field.tsx'

export function ReturnUrlForm({ returnUrl }: { returnUrl: string | null }) {
  const [value, setValue] = useState(returnUrl ?? '')
  const disabledReason = useDisabledReason('settings')
  const trpc = useTrpc()
  const queryClient = useQueryClient()
  const save = useFormMutation({
    mutation: trpc.settings.setReturnUrl.mutationOptions(),
    fields: ['url'],
    successMessage: settings => (settings.returnUrl ? 'Return URL saved.' : 'Return URL removed.'),
    onSuccess: settings => {
      queryClient.setQueryData(trpc.settings.get.queryKey(), settings)
      setValue(settings.returnUrl ?? '')
    },
  })
  const unchanged = value.trim() === (returnUrl ?? '') ? 'There are no changes to save.' : undefined
  return (
    <FieldForm
      onSubmit={() => save.mutate({ url: value.trim() || null })}
      disabledReason={disabledReason}
      error={save.formError}
      buttons={
        <ActionButton type="submit" loading={save.isPending} disabledReason={disabledReason ?? unchanged}>
          Save URL
        </ActionButton>
      }
    >
      <UrlField
        label="Return URL"
        hint="An HTTPS URL. Leave empty to end on the identity provider's page."
        placeholder="https://www.example.com/verified"
        value={value}
        savedUrl={returnUrl}
        check="checkReturnUrl"
        error={save.fieldErrors.url}
        readOnly={disabledReason !== undefined}
        onChange={changed => {
          save.reset()
          setValue(changed)
        }}
      />
    </FieldForm>
  )
}
