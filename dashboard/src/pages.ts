import type { IconName } from './components/icon.tsx'

interface PageLink {
  to: string
  label: string
  icon: IconName
}

/** The pages of the navigation. */
export const pages: PageLink[] = [
  { to: '/first-steps', label: 'Get started', icon: 'route' },
  { to: '/overview', label: 'Overview', icon: 'chart-bar' },
  { to: '/verifications', label: 'Verifications', icon: 'list-check' },
  { to: '/api-keys', label: 'API keys', icon: 'key' },
  { to: '/settings', label: 'Settings', icon: 'settings' },
  { to: '/tools/token', label: 'Token inspector', icon: 'tool' },
  { to: '/billing', label: 'Billing', icon: 'credit-card' },
  { to: '/audit-log', label: 'Audit log', icon: 'history' },
]
