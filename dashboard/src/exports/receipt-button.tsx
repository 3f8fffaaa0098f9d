import { ActionButton } from '../components/action-button.tsx'
import { useDisabledReason } from '../session/session-context.ts'
import { type Outputs, useTrpcClient } from '../trpc/trpc.ts'
import { useSignedFile } from './save.ts'

/** Saves the receipt of an erasure, with what the provider has answered by then. */
export function ReceiptButton({ verificationId }: { verificationId: string }) {
  const { verifications } = useTrpcClient()
  const { mutate, isPending } = useSignedFile()
  const file = {
    words: ['erasure', verificationId],
    read: async () => (await verifications.receipt.query({ verificationId })).receipt,
    saved: 'Receipt saved.',
  }
  return (
    <ActionButton
      variant="default"
      style={{ alignSelf: 'flex-start' }}
      disabledReason={useDisabledReason('tenant')}
      loading={isPending}
      onClick={() => mutate(file)}
    >
      Save receipt
    </ActionButton>
  )
}

/** What has become of an erased verification's session at the provider. */
export const sessionStates: Record<Outputs['verifications']['erase']['session']['state'], string> = {
  deleted: 'its session was deleted',
  unknown: 'there was no session of it',
  queued: 'its session is to be deleted',
  not_enabled: 'its session waits until deletion is enabled there',
  not_asked: 'its session was left as it is',
}
