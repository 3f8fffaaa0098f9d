import { useQueryClient } from '@tanstack/react-query'
import { ActionButton } from '../../components/action-button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { useDisabledReason } from '../../session/use-disabled-reason.ts'
import { useConfirmedMutation } from '../../trpc/mutations.ts'
import { type Outputs, useTrpc } from '../../trpc/trpc.ts'
import { ServerForm } from '../server-form.tsx'
import { UrlField } from '../url-field.tsx'
import { useServerForm } from '../use-server-form.ts'

export function WebhookUrlForm({ webhookUrl }: { webhookUrl: string | null }) {
  const disabledReason = useDisabledReason('settings')
  const { settings } = useTrpc()
  const queryClient = useQueryClient()
  const onSuccess = (saved: Outputs['settings']['get']) =>
    queryClient.setQueryData(settings.get.queryKey(), saved)
  const form = useServerForm({
    stored: webhookUrl ?? '',
    mutation: settings.setWebhookUrl.mutationOptions(),
    variables: (url, expected) => ({ url, expectedUrl: expected || null }),
    inputField: 'url',
    successMessage: () => 'Webhook URL saved.',
    saved: ({ webhookUrl }) => webhookUrl ?? '',
    onSuccess,
    reload: () => queryClient.invalidateQueries(settings.get.queryFilter()),
  })
  const remove = useConfirmedMutation({
    mutation: settings.setWebhookUrl.mutationOptions(),
    variables: () => ({ url: null, expectedUrl: webhookUrl }),
    successMessage: () => 'Webhook URL removed.',
    onSuccess: saved => {
      onSuccess(saved)
      form.discard()
    },
  })
  return (
    <>
      <ServerForm
        form={form}
        saveLabel="Save URL"
        disabledReason={disabledReason}
        emptyReason="Enter a URL."
        buttons={
          webhookUrl !== null && (
            <ActionButton variant="default" disabledReason={disabledReason} onClick={() => remove.open()}>
              Remove
            </ActionButton>
          )
        }
      >
        <UrlField
          label="Webhook URL"
          hint="An HTTPS URL that can be reached from the internet."
          placeholder="https://api.example.com/age-events"
          form={form}
          savedUrl={webhookUrl}
          check="checkWebhookUrl"
          readOnly={disabledReason !== undefined}
        />
      </ServerForm>
      <ConfirmDialog title="Remove the webhook URL?" confirmLabel="Remove URL" {...remove.dialog}>
        No webhook events will be delivered until you set a new URL, and events from the meantime are not
        delivered later. You can still read results with GET /verify/status.
      </ConfirmDialog>
    </>
  )
}
