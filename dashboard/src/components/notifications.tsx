import { Alert, Button, Stack, Text } from '@mantine/core'
import classes from './notifications.module.css'
import { dismiss, type Notification, useNotifications } from './notify.ts'

/** The notifications, which are plain where the code of their list could not be loaded. */
export function Notifications() {
  const { List, plain } = useNotifications()
  return (
    <>
      {List && <List />}
      {plain.length > 0 && (
        <div className={classes.plain}>
          {plain.map(notification => (
            <PlainNotification key={notification.id} {...notification} />
          ))}
        </div>
      )}
    </>
  )
}

function PlainNotification({ id, title, message, color, role }: Notification) {
  return (
    <Alert color={color} title={title} role={role} className={classes.notification ?? ''}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{message}</Text>
        <Button variant="default" size="xs" onClick={() => dismiss(id)}>
          Dismiss
        </Button>
      </Stack>
    </Alert>
  )
}
