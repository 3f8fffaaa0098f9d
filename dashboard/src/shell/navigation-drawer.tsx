import { Drawer } from '@mantine/core'
import { Navigation } from './navigation.tsx'

/** The navigation where there is no room beside the page. */
export function NavigationDrawer({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Drawer opened={opened} onClose={onClose} title="Age verification" size="17rem" returnFocus>
      <Navigation onNavigate={onClose} />
    </Drawer>
  )
}
