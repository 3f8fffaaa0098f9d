import { useQueryClient } from '@tanstack/react-query'
import { useSession } from '../../session/session-context.ts'
import { useTrpc } from '../../trpc/trpc.ts'

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
