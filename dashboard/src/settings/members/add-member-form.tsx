import { NativeSelect, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ActionButton } from '../../components/action-button.tsx'
import { FieldForm } from '../../components/field-form.tsx'
import { useFormMutation } from '../../trpc/mutations.ts'
import { useTrpc } from '../../trpc/trpc.ts'
import { isRole, type Role, roles } from './roles.ts'

const subjectLengthMax = 255

export function AddMemberForm({ disabledReason }: { disabledReason: string | undefined }) {
  const [subject, setSubject] = useState('')
  const [role, setRole] = useState<Role>('viewer')
  const trpc = useTrpc()
  const queryClient = useQueryClient()
  const add = useFormMutation({
    mutation: trpc.members.add.mutationOptions(),
    fields: ['subject'],
    successMessage: member => `${member.subject} added as ${member.role}.`,
    onSuccess: () => {
      setSubject('')
      return queryClient.invalidateQueries({ queryKey: trpc.members.pathKey() })
    },
  })
  const missing = subject.trim() === '' ? 'Enter a user.' : undefined
  return (
    <FieldForm
      onSubmit={() => !missing && add.mutate({ subject: subject.trim(), role })}
      disabledReason={disabledReason}
      error={add.formError}
      buttons={
        <ActionButton type="submit" disabledReason={disabledReason ?? missing} loading={add.isPending}>
          Add member
        </ActionButton>
      }
    >
      <TextInput
        label="User"
        description="The user's subject at your sign-in provider (the sub claim)."
        value={subject}
        error={add.fieldErrors.subject}
        maxLength={subjectLengthMax}
        spellCheck={false}
        autoComplete="off"
        readOnly={disabledReason !== undefined}
        onChange={event => {
          add.reset()
          setSubject(event.currentTarget.value)
        }}
      />
      <NativeSelect
        label="Role"
        data={roles}
        value={role}
        disabled={disabledReason !== undefined}
        onChange={({ currentTarget: { value } }) => isRole(value) && setRole(value)}
      />
    </FieldForm>
  )
}
