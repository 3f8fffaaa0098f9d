import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import { useTenantPath } from '../session/tenant-path.ts'
import { actionLabel } from './actions.ts'
import classes from './audit-table.module.css'
import type { AuditEvent } from './filters.ts'

interface Props {
  event: AuditEvent
  /** The name of a member; undefined for one who left. */
  memberName: (subject: string) => string | undefined
}

/** What was done to what, linked to where that is shown: "Created an API key: Shop". */
export function AuditSentence({ event, memberName }: Props) {
  const tenantPath = useTenantPath()
  const label = actionLabel(event.action)
  const { name, id, path } = readTarget(event, memberName)
  const shown = name ?? (id === undefined ? undefined : <EndOfId id={id} />)
  if (path === undefined) {
    return (
      <span title={id}>
        {label}
        {shown && <>: {shown}</>}
      </span>
    )
  }
  const link = (
    <Anchor component={Link} to={tenantPath(path)} inherit underline={shown ? 'always' : 'hover'} title={id}>
      {shown ?? label}
    </Anchor>
  )
  return shown ? (
    <span>
      {label}: {link}
    </span>
  ) : (
    link
  )
}

/** Cut by its style alone, so that screen readers and the clipboard get all of it. */
function EndOfId({ id }: { id: string }) {
  return (
    <code className={classes.endOfId}>
      <bdi>{id}</bdi>
    </code>
  )
}

interface Target {
  /** Neither it nor an ID where the action itself says what it is about. */
  name?: string | undefined
  /** Of which only the end is shown, in a monospaced font. */
  id?: string
  path?: string
}

function readTarget({ action, target, changes }: AuditEvent, memberName: Props['memberName']): Target {
  if (target === null) return {}
  const [noun = ''] = action.split('.')
  switch (noun) {
    case 'api_key': {
      const path = `/api-keys?key=${target}`
      return typeof changes.name === 'string' ? { name: changes.name, path } : { id: target, path }
    }
    case 'token':
      return { id: target, path: `/verifications/${target}` }
    case 'verification':
      // What was erased is not there any more.
      return { id: target }
    case 'member':
      return { name: memberName(target) ?? target, path: '/settings/members' }
    case 'invitation':
      return { path: '/settings/members' }
    case 'webhook_secret':
      return { path: '/settings/webhook' }
    case 'settings':
      return { path: action === 'settings.set_webhook_url' ? '/settings/webhook' : '/settings' }
    case 'demo':
    case 'tenant':
      return { path: '/settings' }
    default:
      return { id: target }
  }
}
