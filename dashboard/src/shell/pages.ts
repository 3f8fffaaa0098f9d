import {
  type Icon,
  IconChartBar,
  IconCreditCard,
  IconHistory,
  IconKey,
  IconListCheck,
  IconRoute,
  IconSettings,
  IconTool,
} from '@tabler/icons-react'

export interface PageLink {
  to: string
  label: string
  Icon: Icon
}

/** The pages of the navigation. */
export const pages: PageLink[] = [
  { to: '/first-steps', label: 'Get started', Icon: IconRoute },
  { to: '/overview', label: 'Overview', Icon: IconChartBar },
  { to: '/verifications', label: 'Verifications', Icon: IconListCheck },
  { to: '/api-keys', label: 'API keys', Icon: IconKey },
  { to: '/settings', label: 'Settings', Icon: IconSettings },
  { to: '/tools', label: 'Tools', Icon: IconTool },
  { to: '/billing', label: 'Billing', Icon: IconCreditCard },
  { to: '/audit-log', label: 'Audit log', Icon: IconHistory },
]
