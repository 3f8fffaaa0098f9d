import { Button, Group, Modal, NativeSelect, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { CopyBox } from '../../components/copy-box.tsx'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { LocalAndUtcTime } from '../../components/timestamp.tsx'
import { useFormMutation } from '../../trpc/mutations.ts'
import { type Outputs, useTrpc } from '../../trpc/trpc.ts'
import { isRole, type Role, roleDescriptions, roles } from './roles.ts'

interface DialogProps {
  opened: boolean
  onClose: () => void
}

type CreatedInvitation = Pick<Outputs['members']['invite'], 'role' | 'url' | 'expiresAt'>

/** Asks for the role and then shows the link, once. */
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

function InviteForm({ onCreated, onCancel }: FormProps) {
  const [role, setRole] = useState<Role>('viewer')
  const trpc = useTrpc()
  const queryClient = useQueryClient()
  const invite = useFormMutation({
    mutation: trpc.members.invite.mutationOptions({ gcTime: 0 }),
    fields: ['role'],
    onSuccess: created => {
      onCreated(created)
      return queryClient.invalidateQueries({ queryKey: trpc.members.pathKey() })
    },
  })
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        invite.mutate({ role })
      }}
    >
      <Stack>
        <NativeSelect
          label="Role"
          description={roleDescriptions[role]}
          data={roles}
          value={role}
          error={invite.fieldErrors.role}
          data-autofocus
          onChange={({ currentTarget: { value } }) => isRole(value) && setRole(value)}
        />
        {invite.formError && <ErrorAlert error={invite.formError} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={invite.isPending}>
            Create link
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function NewInvitation({ role, url, expiresAt, onDone }: CreatedInvitation & { onDone: () => void }) {
  return (
    <Stack>
      <Text size="sm">
        Whoever opens this link first can become a {role} of this tenant, so send it to one person only. It is
        shown only now, and works until <LocalAndUtcTime at={expiresAt} />.
      </Text>
      <CopyBox value={url} label="invitation link" />
      <Group justify="flex-end">
        <Button data-autofocus onClick={onDone}>
          Done
        </Button>
      </Group>
    </Stack>
  )
}
