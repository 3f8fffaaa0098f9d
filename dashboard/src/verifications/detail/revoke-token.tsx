import { Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useConsole } from '../../console/console.ts'
import { ConfirmDialog } from '../../feedback/confirm-dialog.tsx'
import { GuardedButton } from '../../feedback/guarded-button.tsx'
import { ObstacleNote } from '../../feedback/obstacle-note.tsx'
import { tell } from '../../feedback/tell.ts'
import { useObstacle } from '../../session/rights.ts'
import { LocalAndUtc } from '../../time/local-and-utc.tsx'

interface Props {
  verificationId: string
  revokedAt: string | null
}

export function RevokeToken({ verificationId, revokedAt }: Props) {
  const obstacle = useObstacle('tokens')
  const [asking, { open, close }] = useDisclosure()
  const console = useConsole()
  const queryClient = useQueryClient()
  const revoke = useMutation(
    console.tokens.revoke.mutationOptions({
      onSuccess: () => {
        close()
        tell('The token is revoked.')
        return queryClient.invalidateQueries({ queryKey: console.verifications.pathKey() })
      },
    }),
  )
  if (revokedAt) {
    return (
      <Text size="sm">
        Revoked on <LocalAndUtc at={revokedAt} />.
      </Text>
    )
  }
  return (
    <div>
      <GuardedButton obstacle={obstacle} variant="default" c="var(--denied-text)" onClick={open}>
        Revoke token
      </GuardedButton>
      <ObstacleNote obstacle={obstacle} />
      <ConfirmDialog
        opened={asking}
        title="Revoke this token?"
        confirmLabel="Revoke token"
        pending={revoke.isPending}
        error={revoke.error}
        onConfirm={() => revoke.mutate({ verificationId })}
        onClose={close}
      >
        From then on, validating it answers TOKEN_REVOKED. The verification itself stays approved. This can
        not be undone; a new token takes a new verification.
      </ConfirmDialog>
    </div>
  )
}
