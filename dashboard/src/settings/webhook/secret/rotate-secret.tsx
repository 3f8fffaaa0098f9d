import { useDisclosure } from '@mantine/hooks'
import { IconRefresh } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useConsole } from '../../../console/console.ts'
import { ConfirmDialog } from '../../../feedback/confirm-dialog.tsx'
import { GuardedButton } from '../../../feedback/guarded-button.tsx'
import { tell } from '../../../feedback/tell.ts'
import { useObstacle } from '../../../session/rights.ts'

export function RotateSecret({ onRotated }: { onRotated: (secret: string) => void }) {
  const obstacle = useObstacle('settings')
  const [asking, { open, close }] = useDisclosure()
  const console = useConsole()
  const queryClient = useQueryClient()
  const rotate = useMutation(
    console.settings.rotateWebhookSecret.mutationOptions({
      gcTime: 0,
      onSuccess: ({ webhookSecret }) => {
        close()
        onRotated(webhookSecret)
        tell('The new secret is in use. Give it to your receiver.')
        return queryClient.invalidateQueries({ queryKey: console.settings.pathKey() })
      },
    }),
  )
  return (
    <>
      <GuardedButton
        variant="default"
        obstacle={obstacle}
        leftSection={<IconRefresh size={16} aria-hidden />}
        onClick={open}
      >
        Rotate secret
      </GuardedButton>
      <ConfirmDialog
        opened={asking}
        title="Rotate the signing secret?"
        confirmLabel="Rotate secret"
        pending={rotate.isPending}
        error={rotate.error}
        onConfirm={() => rotate.mutate()}
        onClose={close}
      >
        A new secret is made and shown. The present one stays accepted for 24 hours, so that you can change
        your receiver without losing an event. At most three are kept: a further rotation ends the oldest at
        once.
      </ConfirmDialog>
    </>
  )
}
