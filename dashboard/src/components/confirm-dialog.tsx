import { Button, Group, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { Dialog } from './dialog.tsx'
import { ErrorAlert } from './error-alert.tsx'

interface Props {
  opened: boolean
  title: string
  /** Names the action, as in "Revoke key". */
  confirmLabel: string
  pending: boolean
  error: unknown
  /** False for an action after which everything goes on working. */
  isDestructive?: boolean
  onConfirm: () => void
  onClose: () => void
  children: ReactNode
}

/** Confirms an action. Cancel has the focus, so that pressing Enter by mistake does nothing. */
export function ConfirmDialog({ confirmLabel, pending, error, onConfirm, children, ...props }: Props) {
  const { isDestructive = true, ...modal } = props
  return (
    <Dialog {...modal}>
      <Stack>
        <div>{children}</div>
        {error ? <ErrorAlert error={error} /> : null}
        <Group justify="flex-end">
          <Button variant="default" data-autofocus onClick={modal.onClose}>
            Cancel
          </Button>
          <Button {...(isDestructive && { color: 'red' })} loading={pending} onClick={onConfirm}>
            {confirmLabel}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
