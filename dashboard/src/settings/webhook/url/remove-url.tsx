import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useConsole } from '../../../console/console.ts'
import { ConfirmDialog } from '../../../feedback/confirm-dialog.tsx'
import { GuardedButton } from '../../../feedback/guarded-button.tsx'
import { tell } from '../../../feedback/tell.ts'

interface Props {
  obstacle: string | undefined
  onRemoved: () => void
}

export function RemoveUrl({ obstacle, onRemoved }: Props) {
  const [asking, { open, close }] = useDisclosure()
  const console = useConsole()
  const queryClient = useQueryClient()
  const remove = useMutation(
    console.settings.setWebhookUrl.mutationOptions({
      onSuccess: settings => {
        close()
        onRemoved()
        queryClient.setQueryData(console.settings.get.queryKey(), settings)
        tell('The webhook URL is removed.')
      },
    }),
  )
  return (
    <>
      <GuardedButton variant="default" obstacle={obstacle} onClick={open}>
        Remove
      </GuardedButton>
      <ConfirmDialog
        opened={asking}
        title="Remove the webhook URL?"
        confirmLabel="Remove URL"
        pending={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate({ url: null })}
        onClose={close}
      >
        Without one, no events are sent, and those of the meantime are not sent later. Results can still be
        read with GET /verify/status.
      </ConfirmDialog>
    </>
  )
}
