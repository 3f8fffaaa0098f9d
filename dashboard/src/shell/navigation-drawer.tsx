import { Drawer } from '@mantine/core'
import '../theme/overlay-styles.ts'
import { Navigation } from './navigation.tsx'

interface Props {
  opened: boolean
  onClose: () => void
}

/** The navigation on narrow screens. */
export default function NavigationDrawer({ opened, onClose }: Props) {
  return (
    <Drawer opened={opened} onClose={onClose} title="Age verification" size="17rem" returnFocus>
      <Navigation onNavigate={onClose} />
    </Drawer>
  )
}
