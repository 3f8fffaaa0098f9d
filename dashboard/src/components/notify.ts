import { notifications } from '@mantine/notifications'

const durationMs = 5_000
const closeButtonProps = { 'aria-label': 'Dismiss' }

/** Notifies of a success. Screen readers announce it. */
export function notify(message: string): void {
  notifications.show({
    message,
    color: 'green',
    autoClose: durationMs,
    withBorder: true,
    role: 'status',
    closeButtonProps,
  })
}

/** Notifies of an error. Stays until it is dismissed. */
export function notifyError(title: string, message: string): void {
  notifications.show({
    title,
    message,
    color: 'red',
    autoClose: false,
    withBorder: true,
    role: 'alert',
    closeButtonProps,
  })
}
