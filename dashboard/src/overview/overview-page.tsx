import { Page } from '../page/page.tsx'
import { DailySection } from './daily/daily-section.tsx'
import { LatestSection } from './latest-section.tsx'
import { UsageSection } from './usage-section.tsx'

export function OverviewPage() {
  return (
    <Page title="Overview" description="What this tenant's verifications are doing, and how many are left.">
      <UsageSection />
      <DailySection />
      <LatestSection />
    </Page>
  )
}
