import { Alert, Modal, Stack } from '@mantine/core'
import { useState } from 'react'
import { DialogButtons } from '../../components/dialog-buttons.tsx'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { useFormMutation } from '../../trpc/mutations.ts'
import { useTrpc } from '../../trpc/trpc.ts'
import { RoleField } from './role-field.tsx'
import { type Member, memberName, roleLabels } from './roles.ts'
import { useReloadMembers } from './use-reload-members.ts'

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
    <form
      onSubmit={event => {
        event.preventDefault()
        if (role !== member.role) save.mutate({ subject: member.subject, role })
      }}
    >
      <Stack>
        <RoleField role={role} error={save.fieldErrors.role} onChange={setRole} />
        {member.isCaller && role !== member.role && (
          <Alert color="orange" variant="light" role="alert">
            This is your own role. You can't manage members any more, and only another owner can change it
            back.
          </Alert>
        )}
        {save.formError ? <ErrorAlert error={save.formError} /> : null}
        <DialogButtons
          submitLabel={role === member.role ? 'Change role' : `Make ${roleLabels[role].toLowerCase()}`}
          pending={save.isPending}
          disabled={role === member.role}
          onCancel={onClose}
        />
      </Stack>
    </form>
  )
}
