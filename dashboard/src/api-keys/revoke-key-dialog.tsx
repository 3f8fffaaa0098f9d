import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useConsole } from '../console/console.ts'
import { ConfirmDialog } from '../feedback/confirm-dialog.tsx'
import { tell } from '../feedback/tell.ts'
import type { ApiKey } from './key-table.tsx'

interface Props {
  /** The key to revoke; undefined while the dialog is closed. */
  apiKey: ApiKey | undefined
  onClose: () => void
}

export function RevokeKeyDialog({ apiKey, onClose }: Props) {
  const console = useConsole()
  const queryClient = useQueryClient()
  const revoke = useMutation(
    console.apiKeys.revoke.mutationOptions({
      onSuccess: key => {
        onClose()
        tell(`The key "${key.name}" is revoked.`)
        return queryClient.invalidateQueries({ queryKey: console.apiKeys.pathKey() })
      },
    }),
  )
  return (
    <ConfirmDialog
      opened={apiKey !== undefined}
      title={`Revoke "${apiKey?.name ?? ''}"?`}
      confirmLabel="Revoke key"
      pending={revoke.isPending}
      error={revoke.error}
      onConfirm={() => apiKey && revoke.mutate({ apiKeyId: apiKey.apiKeyId })}
      onClose={() => {
        revoke.reset()
        onClose()
      }}
    >
      Requests with the key {apiKey?.displayStart}… are refused with 401 at once, everywhere. This can not be
      undone.
    </ConfirmDialog>
  )
}
