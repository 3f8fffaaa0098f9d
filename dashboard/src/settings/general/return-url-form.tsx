import { useQueryClient } from '@tanstack/react-query'
import { useDisabledReason } from '../../session/use-disabled-reason.ts'
import { useTrpc } from '../../trpc/trpc.ts'
import { ServerForm } from '../server-form.tsx'
import { UrlField } from '../url-field.tsx'
import { useServerForm } from '../use-server-form.ts'

export function ReturnUrlForm({ returnUrl }: { returnUrl: string | null }) {
  const disabledReason = useDisabledReason('settings')
  const { settings } = useTrpc()
  const queryClient = useQueryClient()
  const form = useServerForm({
    stored: returnUrl ?? '',
    mutation: settings.setReturnUrl.mutationOptions(),
    variables: (url, expected) => ({ url: url || null, expectedUrl: expected || null }),
    inputField: 'url',
    successMessage: saved => (saved.returnUrl ? 'Return URL saved.' : 'Return URL removed.'),
    saved: ({ returnUrl }) => returnUrl ?? '',
    onSuccess: saved => queryClient.setQueryData(settings.get.queryKey(), saved),
    reload: () => queryClient.invalidateQueries(settings.get.queryFilter()),
  })
  return (
    <ServerForm form={form} saveLabel="Save URL" disabledReason={disabledReason}>
      <UrlField
        label="Return URL"
        hint="An HTTPS URL. Leave empty to end on the identity provider's page."
        placeholder="https://www.example.com/verified"
        form={form}
        savedUrl={returnUrl}
        check="checkReturnUrl"
        readOnly={disabledReason !== undefined}
      />
    </ServerForm>
  )
}
