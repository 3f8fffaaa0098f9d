import { Button, Group, Modal, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { CopyBox } from '../../components/copy-box.tsx'
import { DialogForm } from '../../components/dialog-form.tsx'
import { Timestamp } from '../../components/timestamp.tsx'
import { useFormMutation } from '../../trpc/mutations.ts'
import { type Outputs, useTrpc } from '../../trpc/trpc.ts'
import { type Role, RoleField } from './roles.tsx'

interface DialogProps {
  opened: boolean
  onClose: () => void
}

type CreatedInvitation = Pick<Outputs['members']['invite'], 'role' | 'url' | 'expiresAt'>

/** Asks for role and lifetime and then shows the link, once. */
export function InviteDialog({ opened, onClose }: DialogProps) {
  const [created, setCreated] = useState<CreatedInvitation>()
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={() => setCreated(undefined)}
      title={created ? 'Send this link' : 'Invite a member'}
      size="lg"
    >
      {created ? (
        <NewInvitation {...created} onDone={onClose} />
      ) : (
        <InviteForm onCreated={setCreated} onCancel={onClose} />
      )}
    </Modal>
  )
}

interface FormProps {
  onCreated: (created: CreatedInvitation) => void
  onCancel: () => void
}

const noteLengthMax = 100

const lifetimes = [
  { value: '1', label: '1 day' },
  { value: '3', label: '3 days' },
  { value: '7', label: '7 days' },
  { value: '14', label: '14 days' },
  { value: '30', label: '30 days' },
]

function InviteForm({ onCreated, onCancel }: FormProps) {
  const [role, setRole] = useState<Role>('viewer')
  const [days, setDays] = useState('7')
  const [note, setNote] = useState('')
  const { members } = useTrpc()
  const queryClient = useQueryClient()
  const invite = useFormMutation({
    mutation: members.invite.mutationOptions({ gcTime: 0 }),
    fields: ['role', 'validForDays', 'note'],
    onSuccess: created => {
      onCreated(created)
      return queryClient.invalidateQueries(members.pathFilter())
    },
  })
  return (
    <DialogForm
      onSubmit={() => invite.mutate({ role, validForDays: Number(days), note: note.trim() || undefined })}
      onCancel={onCancel}
      submitLabel="Create link"
      mutation={invite}
    >
      <TextInput
        label="For whom (optional)"
        description="Only members see it, to tell open invitations apart."
        placeholder="Name or team"
        maxLength={noteLengthMax}
        data-autofocus
        value={note}
        error={invite.fieldErrors.note}
        onChange={event => setNote(event.currentTarget.value)}
      />
      <RoleField role={role} error={invite.fieldErrors.role} onChange={setRole} />
      <NativeSelect
        label="The link works for"
        data={lifetimes}
        value={days}
        error={invite.fieldErrors.validForDays}
        onChange={event => setDays(event.currentTarget.value)}
      />
    </DialogForm>
  )
}

function NewInvitation({ role, url, expiresAt, onDone }: CreatedInvitation & { onDone: () => void }) {
  return (
    <Stack>
      <Text size="sm">
        Whoever opens this link first can join this tenant as {role}, so send it to one person only. It is
        shown only now, and works until <Timestamp at={expiresAt} seconds />.
      </Text>
      <CopyBox value={url} label="invitation link" takesFocus />
      <Group justify="flex-end">
        <Button onClick={onDone}>Done</Button>
      </Group>
    </Stack>
  )
}
