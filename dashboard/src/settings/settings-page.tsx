import type { ReactNode } from 'react'
import { Page } from '../components/page.tsx'
import { PageTabs } from '../components/page-tabs.tsx'
import { UnsavedChanges } from './unsaved-changes.tsx'

const tabs = [
  { to: '/settings', label: 'General' },
  { to: '/settings/webhook', label: 'Webhook' },
  { to: '/settings/members', label: 'Members' },
]

interface Props {
  title: string
  children: ReactNode
}

/** The layout of the settings pages: tabs above the content. */
export function SettingsPage({ title, children }: Props) {
  return (
    <Page title={title}>
      <PageTabs label="Settings" tabs={tabs} />
      <UnsavedChanges>{children}</UnsavedChanges>
    </Page>
  )
}
