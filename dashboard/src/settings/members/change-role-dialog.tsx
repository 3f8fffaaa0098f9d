import { Alert, Modal } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { DialogForm } from '../../components/dialog-form.tsx'
import { useSession } from '../../session/session-context.ts'
import { useFormMutation } from '../../trpc/mutations.ts'
import { useTrpc } from '../../trpc/trpc.ts'
import { type Member, memberName, RoleField, roleLabels } from './roles.tsx'

interface Props {
  /** Kept while the dialog closes. */
  member: Member | undefined
  opened: boolean
  onClose: () => void
}

export function ChangeRoleDialog({ member, opened, onClose }: Props) {
  return (
    <Modal opened={opened} onClose={onClose} title={member && `Change the role of ${memberName(member)}?`}>
      {member && <RoleForm member={member} onClose={onClose} />}
    </Modal>
  )
}

function RoleForm({ member, onClose }: { member: Member; onClose: () => void }) {
  const [role, setRole] = useState(member.role)
  const reload = useReloadMembers()
  const save = useFormMutation({
    mutation: useTrpc().members.setRole.mutationOptions(),
    fields: ['role'],
    successMessage: changed => `${memberName(member)} is now ${changed.role}.`,
    onSuccess: async () => {
      onClose()
      await reload()
    },
  })
  return (
    <DialogForm
      onSubmit={() => save.mutate({ subject: member.subject, role })}
      onCancel={onClose}
      submitLabel={role === member.role ? 'Change role' : `Make ${roleLabels[role].toLowerCase()}`}
      mutation={save}
      disabled={role === member.role}
    >
      <RoleField role={role} error={save.fieldErrors.role} onChange={setRole} />
      {member.isCaller && role !== member.role && (
        <Alert color="orange" variant="light" role="alert">
          This is your own role. You can't manage members any more, and only another owner can change it back.
        </Alert>
      )}
    </DialogForm>
  )
}

/** Reloads members and invitations, and the session, because users can change their own membership. */
export function useReloadMembers(): () => Promise<void> {
  const { refresh } = useSession()
  const { members } = useTrpc()
  const queryClient = useQueryClient()
  return async () => {
    await queryClient.invalidateQueries(members.pathFilter())
    await refresh()
  }
}
