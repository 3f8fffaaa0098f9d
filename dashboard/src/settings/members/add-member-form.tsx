import { NativeSelect, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useConsole } from '../../console/console.ts'
import { GuardedButton } from '../../feedback/guarded-button.tsx'
import { tell } from '../../feedback/tell.ts'
import { FieldForm } from '../field-form.tsx'
import { isRole, type Role, roles } from './roles.ts'

const subjectLengthMax = 255

export function AddMemberForm({ obstacle }: { obstacle: string | undefined }) {
  const [subject, setSubject] = useState('')
  const [role, setRole] = useState<Role>('viewer')
  const console = useConsole()
  const queryClient = useQueryClient()
  const add = useMutation(
    console.members.add.mutationOptions({
      onSuccess: member => {
        setSubject('')
        tell(`${member.subject} is a member now.`)
        return queryClient.invalidateQueries({ queryKey: console.members.pathKey() })
      },
    }),
  )
  const missing = subject.trim() === '' ? 'Enter the user first.' : undefined
  return (
    <FieldForm
      onSubmit={() => !missing && add.mutate({ subject: subject.trim(), role })}
      obstacle={obstacle}
      error={add.error}
      field={
        <TextInput
          label="User"
          description="The user's subject at your sign-in provider (the claim sub)."
          value={subject}
          maxLength={subjectLengthMax}
          spellCheck={false}
          autoComplete="off"
          readOnly={obstacle !== undefined}
          onChange={event => setSubject(event.currentTarget.value)}
        />
      }
      buttons={
        <GuardedButton type="submit" obstacle={obstacle ?? missing} loading={add.isPending}>
          Add member
        </GuardedButton>
      }
    >
      <NativeSelect
        label="Role"
        data={roles}
        value={role}
        disabled={obstacle !== undefined}
        onChange={({ currentTarget: { value } }) => isRole(value) && setRole(value)}
      />
    </FieldForm>
  )
}
