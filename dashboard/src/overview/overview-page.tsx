import { useQuery } from '@tanstack/react-query'
import { Navigate, useLocation } from 'react-router'
import { Page } from '../components/page.tsx'
import { useOffersFirstSteps } from '../first-steps/onboarding.ts'
import { useTenantPath } from '../session/session-context.ts'
import { useTrpc } from '../trpc/trpc.ts'
import { NoVerifications } from '../verifications/no-verifications.tsx'
import { DenialsSection } from './denials-section.tsx'
import { KeyMetrics } from './key-metrics.tsx'
import { LossesSection } from './losses-section.tsx'
import classes from './overview.module.css'
import { ResultsSection } from './results-section.tsx'
import { RangePicker, useTimeRange } from './time-range.tsx'
import { TodaySection } from './today-section.tsx'

/** Says whether anything is wrong today, then what happened in a time range. A tenant without data is led to the first steps. */
export function OverviewPage() {
  const { data: onboarding } = useQuery(useTrpc().tenant.onboarding.queryOptions(undefined, { staleTime: 60_000 }))
  const offersFirstSteps = useOffersFirstSteps()
  const tenantPath = useTenantPath()
  const { state } = useLocation()
  // Whoever comes to the dashboard, and not to this page, goes on where they were.
  if (offersFirstSteps && state?.isLanding) return <Navigate to={tenantPath('/first-steps')} replace />
  return <Page title="Overview">{onboarding?.firstVerification === null ? <NoVerifications /> : <Metrics />}</Page>
}

function Metrics() {
  const range = useTimeRange()
  const { shown, today } = range
  return (
    <div className={classes.inOrder}>
      <TodaySection />
      <RangePicker {...range} />
      {shown && (
        <>
          <KeyMetrics days={shown} today={today} />
          <ResultsSection days={shown} />
          <DenialsSection days={shown} />
          <LossesSection days={shown} />
        </>
      )}
    </div>
  )
}
