import { Text } from '@mantine/core'
import { Icon, type IconName } from '../components/icon.tsx'
import { useOnline } from '../components/query-state.tsx'
import classes from './shell.module.css'

interface Props {
  /** Whether the user opened something that is not loaded yet. */
  isLoading: boolean
}

/** Floats above the page, so that nothing moves when the connection comes and goes. */
export function Notice({ isLoading }: Props) {
  const isOnline = useOnline()
  return (
    <div role="status" className={classes.notice}>
      {!isOnline && <Line icon="wifi-off" text="You are offline. What you see may be out of date." />}
      {isOnline && isLoading && <Line icon="refresh" text={loading} isDelayed />}
    </div>
  )
}

/** The code is gone, or the browser remembers until a reload that it could not be loaded, as Firefox does. */
const loading =
  'This is still loading. The dashboard may have been updated: save your changes, then reload the page.'

function Line({ icon, text, isDelayed = false }: { icon: IconName; text: string; isDelayed?: boolean }) {
  return (
    <div className={classes.noticeText} data-delayed={isDelayed}>
      <Icon name={icon} size={16} />
      <Text size="sm" inherit>
        {text}
      </Text>
    </div>
  )
}
