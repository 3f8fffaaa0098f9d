import type { IconName } from './components/icon.tsx'

interface PageLink {
  to: string
  label: string
  icon: IconName
  /** Other words that find it. */
  keywords: string
}

/** The pages of the navigation. */
export const pages: PageLink[] = [
  { to: '/first-steps', label: 'Get started', icon: 'route', keywords: 'onboarding quickstart samples curl' },
  { to: '/overview', label: 'Overview', icon: 'chart-bar', keywords: 'home dashboard metrics approval rate' },
  { to: '/verifications', label: 'Verifications', icon: 'list-check', keywords: 'results sessions export csv' },
  { to: '/api-keys', label: 'API keys', icon: 'key', keywords: 'create an api key replace revoke credentials' },
  { to: '/settings', label: 'Settings', icon: 'settings', keywords: 'general name return url' },
  { to: '/billing', label: 'Billing', icon: 'credit-card', keywords: 'plan usage quota invoice export csv' },
  { to: '/audit-log', label: 'Audit log', icon: 'history', keywords: 'history activity export csv' },
]

/** What opens in a tab of its own, by its path on the service. */
export const documents = { docs: 'API reference', 'practice-statement': 'Practice statement' }
