import { notifications } from '@mantine/notifications'

const shownForMs = 5_000
const closeButtonProps = { 'aria-label': 'Dismiss' }

/** Tells of a change that was made; a screen reader is told too. */
export function tell(message: string): void {
  notifications.show({
    message,
    color: 'green',
    autoClose: shownForMs,
    withBorder: true,
    role: 'status',
    closeButtonProps,
  })
}

/** Tells of a change that was refused. */
export function tellRefusal(title: string, message: string): void {
  notifications.show({ title, message, color: 'red', withBorder: true, role: 'alert', closeButtonProps })
}
