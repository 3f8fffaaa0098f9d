import { Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { useLocation } from 'react-router'
import { LinkTabs } from '../components/link-tabs.tsx'
import { Page } from '../components/page.tsx'
import { UnsavedChanges } from '../components/unsaved-changes.tsx'
import { useTenantPath } from '../session/session-context.ts'

const tabs = [
  { path: '/settings', label: 'General' },
  { path: '/settings/webhook', label: 'Webhook' },
  { path: '/settings/members', label: 'Members' },
]

interface Props {
  /** Of the browser's tab. The page's own title is the same on all of them, and its tab says which one is shown. */
  title: string
  /** Buttons beside the title. */
  actions?: ReactNode
  children: ReactNode
}

/** The layout of the settings pages: tabs above the content. */
export function SettingsPage({ title, actions, children }: Props) {
  const tenantPath = useTenantPath()
  const { pathname } = useLocation()
  return (
    <Page title="Settings" documentTitle={title} actions={<Group mih="2.25rem">{actions}</Group>}>
      <LinkTabs
        label="Settings"
        tabs={tabs.map(({ label, path }) => {
          const to = tenantPath(path)
          return { label, to, isCurrent: to === pathname }
        })}
      />
      <UnsavedChanges>{children}</UnsavedChanges>
    </Page>
  )
}
