import { TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useSession } from '../../session/session-context.ts'
import { useDisabledReason } from '../../session/use-disabled-reason.ts'
import { useTrpc } from '../../trpc/trpc.ts'
import { ServerForm } from '../server-form.tsx'
import { useServerForm } from '../use-server-form.ts'

const nameLengthMax = 200

export function TenantNameForm({ name }: { name: string }) {
  const disabledReason = useDisabledReason('tenant')
  const { refresh } = useSession()
  const { tenant } = useTrpc()
  const queryClient = useQueryClient()
  const form = useServerForm({
    stored: name,
    mutation: tenant.update.mutationOptions(),
    variables: (changed, expectedName) => ({ name: changed, expectedName }),
    inputField: 'name',
    successMessage: () => 'Name saved.',
    saved: ({ name }) => name,
    onSuccess: saved => {
      queryClient.setQueryData(tenant.get.queryKey(), saved)
      return refresh()
    },
    reload: () => queryClient.invalidateQueries(tenant.get.queryFilter()),
  })
  return (
    <ServerForm form={form} saveLabel="Save name" disabledReason={disabledReason} emptyReason="Enter a name.">
      <TextInput
        label="Name"
        ref={form.input}
        value={form.value}
        error={form.fieldError}
        maxLength={nameLengthMax}
        readOnly={disabledReason !== undefined}
        onChange={event => form.change(event.currentTarget.value)}
      />
    </ServerForm>
  )
}
