import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ActionButton } from '../../components/action-button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { FieldForm } from '../../components/field-form.tsx'
import { useDisabledReason } from '../../session/use-disabled-reason.ts'
import { useConfirmedMutation, useFormMutation } from '../../trpc/mutations.ts'
import { type Outputs, useTrpc } from '../../trpc/trpc.ts'
import { UrlField } from '../url-field.tsx'

export function WebhookUrlForm({ webhookUrl }: { webhookUrl: string | null }) {
  const [value, setValue] = useState(webhookUrl ?? '')
  const disabledReason = useDisabledReason('settings')
  const trpc = useTrpc()
  const queryClient = useQueryClient()
  const onSuccess = (settings: Outputs['settings']['get']) => {
    setValue(settings.webhookUrl ?? '')
    queryClient.setQueryData(trpc.settings.get.queryKey(), settings)
  }
  const save = useFormMutation({
    mutation: trpc.settings.setWebhookUrl.mutationOptions(),
    fields: ['url'],
    successMessage: () => 'Webhook URL saved.',
    onSuccess,
  })
  const remove = useConfirmedMutation({
    mutation: trpc.settings.setWebhookUrl.mutationOptions(),
    variables: () => ({ url: null }),
    successMessage: () => 'Webhook URL removed.',
    onSuccess,
  })
  const url = value.trim()
  return (
    <>
      <FieldForm
        onSubmit={() => url && save.mutate({ url })}
        disabledReason={disabledReason}
        error={save.formError}
        buttons={
          <>
            <ActionButton
              type="submit"
              loading={save.isPending}
              disabledReason={disabledReason ?? reasonNotToSave(url, webhookUrl)}
            >
              Save URL
            </ActionButton>
            {webhookUrl !== null && (
              <ActionButton variant="default" disabledReason={disabledReason} onClick={() => remove.open()}>
                Remove
              </ActionButton>
            )}
          </>
        }
      >
        <UrlField
          label="Webhook URL"
          hint="An HTTPS URL that can be reached from the internet."
          placeholder="https://api.example.com/age-events"
          value={value}
          savedUrl={webhookUrl}
          check="checkWebhookUrl"
          error={save.fieldErrors.url}
          readOnly={disabledReason !== undefined}
          onChange={changed => {
            save.reset()
            setValue(changed)
          }}
        />
      </FieldForm>
      <ConfirmDialog title="Remove the webhook URL?" confirmLabel="Remove URL" {...remove.dialog}>
        No webhook events will be delivered until you set a new URL, and events from the meantime are not
        delivered later. You can still read results with GET /verify/status.
      </ConfirmDialog>
    </>
  )
}

function reasonNotToSave(url: string, savedUrl: string | null): string | undefined {
  if (url === '') return 'Enter a URL.'
  return url === savedUrl ? 'There are no changes to save.' : undefined
}
