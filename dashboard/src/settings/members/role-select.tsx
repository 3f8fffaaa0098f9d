import { NativeSelect } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useConsole } from '../../console/console.ts'
import { toDomainError } from '../../console/refusal.ts'
import { tell, tellRefusal } from '../../feedback/tell.ts'
import { useSession } from '../../session/session-context.ts'
import { isRole, type Member, roles } from './roles.ts'

/** Changes a member's role as soon as another is chosen. */
export function RoleSelect({ member: { subject, role } }: { member: Member }) {
  const { refresh } = useSession()
  const console = useConsole()
  const queryClient = useQueryClient()
  const setRole = useMutation(
    console.members.setRole.mutationOptions({
      onSuccess: async changed => {
        tell(`${changed.subject} is now ${changed.role}.`)
        await queryClient.invalidateQueries({ queryKey: console.members.pathKey() })
        await refresh()
      },
      onError: error => tellRefusal('The role is unchanged', toDomainError(error).message),
    }),
  )
  return (
    <NativeSelect
      size="xs"
      aria-label={`Role of ${subject}`}
      data={roles}
      value={setRole.isPending ? setRole.variables.role : role}
      disabled={setRole.isPending}
      onChange={({ currentTarget: { value } }) => isRole(value) && setRole.mutate({ subject, role: value })}
    />
  )
}
