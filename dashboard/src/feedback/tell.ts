import { notifications } from '@mantine/notifications'

const shownForMs = 5_000

/** Tells of a change that was made; a screen reader is told too. */
export function tell(message: string): void {
  notifications.show({ message, color: 'green', autoClose: shownForMs, withBorder: true, role: 'status' })
}
