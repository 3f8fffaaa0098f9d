import { SettingsPage } from '../settings-page.tsx'
import { ReturnUrlSection } from './return-url-section.tsx'
import { TenantSection } from './tenant-section.tsx'

export function GeneralPage() {
  return (
    <SettingsPage title="Settings">
      <TenantSection />
      <ReturnUrlSection />
    </SettingsPage>
  )
}
