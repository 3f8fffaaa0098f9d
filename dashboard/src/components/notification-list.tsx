import { Notifications } from '@mantine/notifications'
import '../theme/overlay-styles.ts'

export { notifications } from '@mantine/notifications'

export default function NotificationList() {
  return <Notifications position="bottom-right" />
}
