import { Page } from '../components/page.tsx'
import { DailySection } from './daily-section.tsx'
import { LatestSection } from './latest-section.tsx'
import { UsageSection } from './usage-section.tsx'

export function OverviewPage() {
  return (
    <Page title="Overview" description="Usage and results of this tenant's verifications.">
      <UsageSection />
      <DailySection />
      <LatestSection />
    </Page>
  )
}
