import { pages } from '../pages.ts'
import { type Membership, tenantPath } from '../session/session-context.ts'
import { chooseScheme } from '../theme/chosen-scheme.ts'
import { statuses, statusNames } from '../verifications/status.ts'
import { viewPages } from '../verifications/views.ts'

export interface Command {
  id: string
  label: string
  group: 'Go to' | 'Action' | 'API key' | 'Member' | 'Tenant' | 'Pasted'
  /** More words that find it. */
  keywords?: string
  run: () => unknown
}

interface Environment {
  memberships: Membership[]
  membership: Membership | undefined
  goTo: (path: string) => unknown
  signOut: () => void
}

/** Pages of the selected tenant that are not in the navigation. */
const subPages = [
  { to: '/settings/webhook', label: 'Webhook settings', keywords: 'url signing secret events' },
  { to: '/settings/members', label: 'Members', keywords: 'team invite invitation role' },
  ...viewPages,
  ...statusNames.map(status => ({
    to: `/verifications?status=${status}`,
    label: `${statuses[status].label} verifications`,
    keywords: statuses[status].meaning,
  })),
]

export function listCommands({ memberships, membership, ...environment }: Environment): Command[] {
  const { goTo, signOut } = environment
  const inTenant = (path: string) => () => goTo(membership ? tenantPath(membership.tenantId, path) : path)
  const links = membership ? [...pages, ...subPages] : pages.slice(0, 1)
  return [
    ...links.map(({ to, label, ...rest }) => ({
      id: to,
      label,
      group: 'Go to' as const,
      keywords: 'keywords' in rest ? rest.keywords : '',
      run: inTenant(to),
    })),
    ...(membership ? tenantActions.map(({ to, ...action }) => ({ ...action, run: inTenant(to) })) : []),
    { id: 'light', label: 'Use the light theme', group: 'Action', run: () => chooseScheme('light') },
    { id: 'dark', label: 'Use the dark theme', group: 'Action', run: () => chooseScheme('dark') },
    { id: 'auto', label: "Use the system's theme", group: 'Action', run: () => chooseScheme('auto') },
    { id: 'sign-out', label: 'Sign out', group: 'Action', keywords: 'log out', run: signOut },
    ...memberships
      .filter(({ tenantId }) => tenantId !== membership?.tenantId)
      .map(({ tenantId, tenantName }) => ({
        id: tenantId,
        label: tenantName,
        group: 'Tenant' as const,
        keywords: tenantId,
        run: () => goTo(tenantPath(tenantId, '/overview')),
      })),
  ]
}

const tenantActions: (Omit<Command, 'run'> & { to: string })[] = [
  { id: 'create-key', label: 'Create an API key', group: 'Action', to: '/api-keys' },
  { id: 'invite', label: 'Invite a member', group: 'Action', to: '/settings/members' },
]

/** At most this many are shown: the rest is found by typing more. */
const shownMax = 40

/** The commands whose label, group or keywords contain every word, also where that is in the singular. */
export function findCommands(commands: Command[], text: string): Command[] {
  const words = text.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  const matches = ({ label, group, keywords = '' }: Command) => {
    const searched = `${label} ${group} ${keywords}`.toLocaleLowerCase()
    return words.every(word => searched.includes(word) || searched.includes(word.replace(/(?<=..)s$/, '')))
  }
  return commands.filter(matches).slice(0, shownMax)
}
