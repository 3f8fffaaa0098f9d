import type { NotificationData } from '@mantine/notifications'

/** Notifies of a success. Screen readers announce it. */
export function notify(message: string): void {
  show({ message, color: 'green', autoClose: 5_000, role: 'status' })
}

/** Notifies of an error. Stays until it is dismissed. */
export function notifyError(title: string, message: string): void {
  show({ title, message, color: 'red', autoClose: false, role: 'alert' })
}

const shown = Promise.withResolvers<(notification: NotificationData) => unknown>()

/** What shows notifications says how, once it is loaded: those from before wait for it. */
export const showNotificationsWith = shown.resolve

async function show(notification: NotificationData): Promise<void> {
  const showOne = await shown.promise
  showOne({ withBorder: true, closeButtonProps: { 'aria-label': 'Dismiss' }, ...notification })
}
