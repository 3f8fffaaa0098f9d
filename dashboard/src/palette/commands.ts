import { pages } from '../pages.ts'
import { type Membership, tenantPath } from '../session/session-context.ts'
import { chooseScheme } from '../theme/chosen-scheme.ts'
import { statuses, statusNames } from '../verifications/status.ts'
import { viewPages } from '../verifications/views.ts'

export interface Command {
  id: string
  label: string
  group: 'Go to' | 'Action' | 'API key' | 'Member' | 'Tenant' | 'Test tenant' | 'Pasted'
  /** More words that find it. */
  keywords?: string
  run: () => unknown
}

interface Environment {
  memberships: Membership[]
  membership: Membership | undefined
  /** Whether the user can create another tenant. */
  mayCreate: boolean
  /** Of the page that is shown. */
  pathname: string
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
  const { mayCreate, pathname, goTo, signOut } = environment
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
    ...tenantActions
      .filter(({ right }) => membership?.rights.includes(right))
      .map(({ to, right: _, ...action }) => ({ ...action, run: inTenant(to) })),
    { id: 'light', label: 'Use the light theme', group: 'Action', run: () => chooseScheme('light') },
    { id: 'dark', label: 'Use the dark theme', group: 'Action', run: () => chooseScheme('dark') },
    { id: 'auto', label: "Use the system's theme", group: 'Action', run: () => chooseScheme('auto') },
    { id: 'sign-out', label: 'Sign out', group: 'Action', keywords: 'log out', run: signOut },
    ...memberships
      .filter(({ tenantId }) => tenantId !== membership?.tenantId)
      .map(({ tenantId, tenantName, role, test }) => ({
        id: tenantId,
        label: tenantName,
        group: test ? ('Test tenant' as const) : ('Tenant' as const),
        keywords: `${tenantId} ${role}`,
        run: () => goTo(tenantPath(tenantId, samePage(pathname))),
      })),
    ...(mayCreate ? [{ ...creation, run: () => goTo('/create-tenant') }] : []),
  ]
}

const creation = { id: 'create-tenant', label: 'Create a tenant', group: 'Action' as const }

/** The page of a path, without what is only in its tenant, such as an opened verification. */
function samePage(pathname: string): string {
  const [, page = ''] = /^\/t\/[^/]+(\/.*)$/.exec(pathname) ?? []
  return page.replace(/^(\/verifications)\/.*/, '$1') || '/overview'
}

const tenantActions = [
  { id: 'create-key', label: 'Create an API key', group: 'Action', to: '/api-keys', right: 'keys' },
  { id: 'invite', label: 'Invite a member', group: 'Action', to: '/settings/members', right: 'members' },
] as const

/** At most this many are shown: the rest is found by typing more. */
const shownMax = 40

/**
 * The commands whose label, group or keywords contain every word, also where that is in the singular; first those whose label
 * has the text.
 */
export function findCommands(commands: Command[], text: string): Command[] {
  const searched = text.trim().toLocaleLowerCase()
  const words = searched.split(/\s+/).filter(Boolean)
  const isNamed = ({ label }: Command) => Number(label.toLocaleLowerCase().includes(searched))
  const matches = ({ label, group, keywords = '' }: Command) => {
    const all = `${label} ${group} ${keywords}`.toLocaleLowerCase()
    return words.every(word => all.includes(word) || all.includes(word.replace(/(?<=..)s$/, '')))
  }
  const found = commands.filter(matches).toSorted((one, other) => isNamed(other) - isNamed(one))
  return found.slice(0, shownMax)
}
