import { TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { ActionButton } from '../components/action-button.tsx'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
import { useConfirmedMutation } from '../components/mutations.ts'
import { useDisabledReason } from '../session/session-context.ts'
import { useTrpc } from '../trpc/trpc.ts'
import { ServerForm, useServerForm } from './server-form.tsx'

const kinds = {
  webhookUrl: {
    label: 'Webhook URL',
    hint: 'An HTTPS URL that can be reached from the internet.',
    emptyHint: 'Saving this turns the webhook off.',
    placeholder: 'https://api.example.com/age-events',
    set: 'setWebhookUrl',
  },
  returnUrl: {
    label: 'Return URL',
    hint: "An HTTPS URL, for users who finished or cancelled. Leave empty to end on the identity provider's page.",
    emptyHint: "Without a URL, users end on the identity provider's page.",
    placeholder: 'https://www.example.com/verified',
    set: 'setReturnUrl',
  },
} as const

/** A URL of the tenant. */
export function UrlForm({ kind, url }: { kind: keyof typeof kinds; url: string | null }) {
  const { label, hint, emptyHint, placeholder, set } = kinds[kind]
  const disabledReason = useDisabledReason('settings')
  const { settings } = useTrpc()
  const queryClient = useQueryClient()
  const form = useServerForm({
    stored: url ?? '',
    mutation: settings[set].mutationOptions(),
    queryKey: settings.get.queryKey(),
    variables: (text, expected) => ({ url: text || null, expectedUrl: expected || null }),
    inputField: 'url',
    successMessage: saved => `${label} ${saved[kind] ? 'saved' : 'removed'}.`,
    saved: saved => saved[kind] ?? '',
    onEmpty: kind === 'webhookUrl' ? () => remove.open() : undefined,
  })
  const remove = useConfirmedMutation({
    mutation: settings.setWebhookUrl.mutationOptions(),
    variables: () => ({ url: null, expectedUrl: url }),
    successMessage: () => 'Webhook URL removed.',
    onSuccess: saved => {
      queryClient.setQueryData(settings.get.queryKey(), saved)
      form.discard()
    },
  })
  const currentHint = form.isDirty && form.value.trim() === '' ? emptyHint : hint
  return (
    <ServerForm
      form={form}
      saveLabel="Save URL"
      disabledReason={disabledReason}
      buttons={
        kind === 'webhookUrl' &&
        url !== null && (
          <ActionButton variant="default" disabledReason={disabledReason} onClick={() => remove.open()}>
            Remove
          </ActionButton>
        )
      }
    >
      <TextInput
        label={label}
        placeholder={placeholder}
        readOnly={disabledReason !== undefined}
        ref={form.input}
        type="url"
        spellCheck={false}
        value={form.value}
        // One line below the input, so that nothing moves.
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        description={form.fieldError === undefined ? currentHint : undefined}
        error={form.fieldError}
        onChange={event => form.change(event.currentTarget.value)}
      />
      <ConfirmDialog title="Remove the webhook URL?" confirmLabel="Remove URL" {...remove.dialog}>
        No webhook events will be delivered until you set a new URL, and events from the meantime are not delivered
        later. You can still read results with GET /verify/status.
      </ConfirmDialog>
    </ServerForm>
  )
}
