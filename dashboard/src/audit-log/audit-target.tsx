import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import { useTenantPath } from '../session/tenant-path.ts'
import classes from './audit-table.module.css'
import type { AuditEvent } from './filters.ts'

interface Props {
  event: AuditEvent
  /** The name of a member; undefined for one who left. */
  memberName: (subject: string) => string | undefined
}

/** What an action was about, linked to where it is shown. */
export function AuditTarget({ event, memberName }: Props) {
  const tenantPath = useTenantPath()
  const { target } = event
  if (target === null) return '–'
  const subject = subjectOf(event, target, memberName)
  const content = subject.isId ? <code className={classes.id}>{subject.label}</code> : subject.label
  if (subject.path === undefined) return content
  return (
    <Anchor component={Link} to={tenantPath(subject.path)} inherit>
      {content}
    </Anchor>
  )
}

interface Subject {
  label: string
  /** Shown in a monospaced font. */
  isId?: boolean
  path?: string
}

function subjectOf(
  { action, changes }: AuditEvent,
  target: string,
  memberName: Props['memberName'],
): Subject {
  const [noun = ''] = action.split('.')
  switch (noun) {
    case 'api_key': {
      const name = typeof changes.name === 'string' ? changes.name : undefined
      return { label: name ?? target, isId: name === undefined, path: `/api-keys?key=${target}` }
    }
    case 'token':
      return { label: target, isId: true, path: `/verifications/${target}` }
    case 'verification':
      // What was erased is not there any more.
      return { label: target, isId: true }
    case 'member': {
      const name = memberName(target)
      return { label: name ?? target, isId: name === undefined, path: '/settings/members' }
    }
    case 'invitation':
      return { label: 'Invitation', path: '/settings/members' }
    case 'webhook_secret':
      return { label: 'Signing secret', path: '/settings/webhook' }
    case 'settings': {
      const isWebhook = action === 'settings.set_webhook_url'
      return isWebhook
        ? { label: 'Webhook URL', path: '/settings/webhook' }
        : { label: 'Return URL', path: '/settings' }
    }
    case 'demo':
    case 'tenant':
      return { label: 'Tenant', path: '/settings' }
    default:
      return { label: target, isId: true }
  }
}
