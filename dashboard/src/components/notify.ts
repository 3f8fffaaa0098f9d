import type { NotificationData } from '@mantine/notifications'
import { useSyncExternalStore } from 'react'

const durationMs = 5_000
const closeButtonProps = { 'aria-label': 'Dismiss' }

/** Notifies of a success. Screen readers announce it. */
export function notify(message: string): void {
  show({ message, color: 'green', autoClose: durationMs, role: 'status' })
}

/** Notifies of an error. Stays until it is dismissed. */
export function notifyError(title: string, message: string): void {
  show({ title, message, color: 'red', autoClose: false, role: 'alert' })
}

let isUsed = false
const listeners = new Set<() => void>()

/** Whether there was a notification: their code is loaded with the first one. */
export function useHasNotifications(): boolean {
  return useSyncExternalStore(subscribe, () => isUsed)
}

async function show(notification: NotificationData): Promise<void> {
  isUsed = true
  for (const listener of listeners) listener()
  const { notifications } = await import('./notification-list.tsx')
  notifications.show({ withBorder: true, closeButtonProps, ...notification })
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
