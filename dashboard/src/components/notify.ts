import type { NotificationData } from '@mantine/notifications'
import { loadOverlays } from '../shell/load-overlays.ts'

/** Notifies of a success. Screen readers announce it. */
export function notify(message: string): void {
  show({ message, color: 'green', autoClose: 5_000, role: 'status' })
}

/** Notifies of an error. Stays until it is dismissed. */
export function notifyError(title: string, message: string): void {
  show({ title, message, color: 'red', autoClose: false, role: 'alert' })
}

async function show(notification: NotificationData): Promise<void> {
  const { notifications } = await loadOverlays()
  notifications.show({ withBorder: true, closeButtonProps: { 'aria-label': 'Dismiss' }, ...notification })
}
