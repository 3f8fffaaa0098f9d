import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useConsole } from '../../console/console.ts'
import { ConfirmDialog } from '../../feedback/confirm-dialog.tsx'
import { tell } from '../../feedback/tell.ts'
import { useSession } from '../../session/session-context.ts'
import type { Member } from './roles.ts'

interface Props {
  /** Who is to be removed; undefined while the dialog is closed. */
  member: Member | undefined
  onClose: () => void
}

export function RemoveMemberDialog({ member, onClose }: Props) {
  const { refresh } = useSession()
  const console = useConsole()
  const queryClient = useQueryClient()
  const remove = useMutation(
    console.members.remove.mutationOptions({
      onSuccess: async ({ subject }) => {
        onClose()
        tell(`${subject} is no longer a member.`)
        await queryClient.invalidateQueries({ queryKey: console.members.pathKey() })
        await refresh()
      },
    }),
  )
  return (
    <ConfirmDialog
      opened={member !== undefined}
      title={`Remove ${member?.subject ?? ''}?`}
      confirmLabel="Remove member"
      pending={remove.isPending}
      error={remove.error}
      onConfirm={() => member && remove.mutate({ subject: member.subject })}
      onClose={() => {
        remove.reset()
        onClose()
      }}
    >
      They lose sight of this tenant at once. API keys that they created go on working.
    </ConfirmDialog>
  )
}
