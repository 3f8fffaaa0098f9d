import { Text } from '@mantine/core'
import { IconWifiOff } from '@tabler/icons-react'
import { useOnline } from '../components/use-online.ts'
import classes from './shell.module.css'

/** Floats above the page, so that nothing moves when the connection comes and goes. */
export function OfflineNotice() {
  const isOnline = useOnline()
  return (
    <div role="status" className={classes.offline}>
      {!isOnline && (
        <div className={classes.offlineText}>
          <IconWifiOff size={16} aria-hidden />
          <Text size="sm" inherit>
            You are offline. What you see may be out of date.
          </Text>
        </div>
      )}
    </div>
  )
}
