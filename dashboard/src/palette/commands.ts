import { useLocation, useNavigate } from 'react-router'
import { useConfig } from '../config.ts'
import { documents, pages } from '../pages.ts'
import { tenantPath, useCreatableKinds, useSession } from '../session/session-context.ts'
import { useSignIn } from '../sign-in/sign-in-context.ts'
import { statuses, statusNames } from '../verifications/status.ts'
import { viewPages } from '../verifications/views.ts'

export interface Command {
  id: string
  label: string
  /** What its heading says. */
  group: string
  /** What its label leaves open; it finds it too. */
  hint?: string | undefined
  /** More words that find it. */
  keywords?: string
  /** What it does before it leads to a page. */
  run?: () => unknown
  /** The page of the selected tenant that it leads to; its ID by default, if it does nothing. */
  to?: string
}

/** Those of the navigation, then the others of the selected tenant. */
const allPages = [
  ...pages,
  {
    to: '/settings/webhook',
    label: 'Webhook settings',
    keywords: 'url rotate signing secret events endpoint deliveries',
  },
  { to: '/api-keys?state=ended', label: 'Revoked and expired API keys', keywords: '' },
  { to: '/settings/members', label: 'Members', keywords: 'invite a member team users invitations roles' },
]

/** The list of verifications with filters. */
const filteredLists = [
  ...viewPages.map(({ to, label, keywords }) => ({ id: to, label, group: 'Verifications', keywords })),
  ...statusNames.map(status => ({
    id: `/verifications?status=${status}`,
    label: statuses[status].label,
    group: 'Verifications',
    hint: statuses[status].meaning,
  })),
]

/** What the user can do on the page that is shown. */
export function useCommands(showShortcuts: () => void): Command[] {
  const { memberships, membership } = useSession()
  const { signOut } = useSignIn()
  const { baseUrl } = useConfig()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const mayCreate = useCreatableKinds().length > 0
  const here = samePage(pathname)
  const rank = (to: string) => (to === here ? 2 : Number(to === '/first-steps'))
  const links = membership ? allPages.toSorted((one, other) => rank(one.to) - rank(other.to)) : pages.slice(0, 1)
  return [
    ...links.map(({ to, label, keywords }) => ({ id: to, label, group: 'Pages', keywords })),
    { id: 'shortcuts', label: 'Show keyboard shortcuts', group: 'Actions', keywords: 'help', run: showShortcuts },
    { id: 'sign-out', label: 'Sign out', group: 'Actions', keywords: 'log out logout', run: signOut },
    ...Object.entries(documents).map(([path, label]) => ({
      id: path,
      label,
      group: 'Documents',
      hint: 'In a new tab',
      keywords: `${path} help documentation`,
      run: () => window.open(`${baseUrl}/${path}`, '_blank', 'noreferrer'),
    })),
    ...(membership ? filteredLists : []),
    ...memberships
      .filter(({ tenantId }) => tenantId !== membership?.tenantId)
      .map(({ tenantId, tenantName, role, test }) => ({
        id: tenantId,
        label: tenantName,
        group: test ? 'Test tenants' : 'Tenants',
        keywords: `${tenantId} ${role}`,
        run: () => navigate(tenantPath(tenantId, here)),
      })),
    ...(mayCreate ? [{ ...creation, run: () => navigate('/create-tenant') }] : []),
  ]
}

const creation = { id: 'create-tenant', label: 'Create a tenant', group: 'Tenants' }

/** The page of a path, without what is only in its tenant, such as an opened verification. */
function samePage(pathname: string): string {
  const [, page = ''] = /^\/t\/[^/]+(\/.*)$/.exec(pathname) ?? []
  return page.replace(/^(\/verifications)\/.*/, '$1') || '/overview'
}

/** At most this many are shown: the rest is found by typing more. */
const shownMax = 40

/**
 * The commands whose label, hint, group or keywords contain every word, also where that is in the singular, by their
 * groups; first those whose label has the text, unless it names their group.
 */
export function findCommands(commands: Command[], text: string): Command[] {
  const searched = text.trim().toLocaleLowerCase()
  const words = searched.split(/\s+/).filter(Boolean)
  const has = (text: string) => text.toLocaleLowerCase().includes(searched)
  const isNamed = ({ label, group }: Command) => Number(has(label) && !has(group))
  const matches = ({ label, group, hint = '', keywords = '' }: Command) => {
    const all = `${label} ${group} ${hint} ${keywords}`.toLocaleLowerCase()
    return words.every(word => all.includes(word) || all.includes(word.replace(/(?<=..)s$/, '')))
  }
  const found = commands.filter(matches).toSorted((one, other) => isNamed(other) - isNamed(one))
  return [...Map.groupBy(found.slice(0, shownMax), ({ group }) => group).values()].flat()
}
