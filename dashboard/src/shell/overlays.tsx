import { Drawer } from '@mantine/core'
import { useMounted } from '@mantine/hooks'
import { Palette } from '../palette/palette.tsx'
import { ShortcutsDialog } from '../palette/shortcuts-dialog.tsx'
import { Navigation } from './navigation.tsx'

export { Notifications, notifications } from '@mantine/notifications'
export { ColorSchemeMenu } from './color-scheme-menu.tsx'
export { TenantMenu } from './tenant-menu.tsx'
export { UserMenu } from './user-menu.tsx'

interface Props {
  opened: string | undefined
  onClose: () => void
}

/** The dialogs of every page. They return the focus only if they open after they were mounted. */
export function Dialogs({ opened, onClose }: Props) {
  const shown = useMounted() ? opened : undefined
  return (
    <>
      <Drawer opened={shown === 'navigation'} onClose={onClose} title="Age verification" size="17rem">
        <Navigation onNavigate={onClose} />
      </Drawer>
      <Palette opened={shown === 'palette'} onClose={onClose} />
      <ShortcutsDialog opened={shown === 'shortcuts'} onClose={onClose} />
    </>
  )
}
