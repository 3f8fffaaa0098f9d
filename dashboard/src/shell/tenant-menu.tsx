import { Button, Group, Text, TextInput } from '@mantine/core'
import { type SubmitEvent, useRef, useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { Icon } from '../components/icon.tsx'
import { focusOnMount } from '../components/page.tsx'
import { tenantPath, useCreatableKinds, useSession } from '../session/session-context.ts'
import classes from './header.module.css'

/** The selected tenant; a menu for users who belong to several. */
export function TenantMenu() {
  const { membership, memberships } = useSession()
  const [isOpen, setOpen] = useState(false)
  if (memberships.length === 0) return null
  if (membership && memberships.length === 1) {
    return (
      <Text size="sm" dir="auto" className={classes.tenantName} title={membership.tenantName}>
        {membership.tenantName}
      </Text>
    )
  }
  const name = membership?.tenantName ?? 'Choose a tenant'
  return (
    <>
      <Button
        variant="default"
        size="xs"
        className={classes.switcher ?? ''}
        rightSection={<Icon name="selector" size={14} />}
        aria-label={membership ? `Tenant: ${name}. Switch tenant` : name}
        title={name}
        popoverTarget="tenants"
      >
        <Text span inherit truncate dir="auto" lh={1.4}>
          {name}
        </Text>
      </Button>
      <div
        popover="auto"
        id="tenants"
        className={classes.menu}
        onToggle={({ newState }) => setOpen(newState === 'open')}
      >
        {isOpen && <Tenants />}
      </div>
    </>
  )
}

/** From so many tenants on, a field searches them by name. */
const searchedFrom = 8

/** Each leads to the page that is shown of this one. */
function Tenants() {
  const { membership, memberships } = useSession()
  const mayCreate = useCreatableKinds().length > 0
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const [search, setSearch] = useState('')
  const list = useRef<HTMLDivElement>(null)
  const found = memberships.filter(({ tenantName }) => includes(tenantName, search))
  const close = () => list.current?.closest<HTMLElement>('[popover]')?.hidePopover()
  const toPath = (tenantId: string) => tenantPath(tenantId, samePage(pathname))
  const openFirst = (event: SubmitEvent) => {
    event.preventDefault()
    if (!found[0]) return
    close()
    navigate(toPath(found[0].tenantId))
  }
  return (
    <>
      {memberships.length >= searchedFrom && (
        <form onSubmit={openFirst}>
          <TextInput
            ref={focusOnMount}
            value={search}
            onChange={event => setSearch(event.currentTarget.value)}
            placeholder="Search tenants"
            aria-label="Search tenants"
            m="xs"
          />
        </form>
      )}
      <nav aria-label="Tenants" ref={list} className={classes.tenants}>
        {found.map(({ tenantId, tenantName, role, test }) => {
          const isCurrent = tenantId === membership?.tenantId
          return (
            <Link
              key={tenantId}
              to={toPath(tenantId)}
              title={tenantName}
              onClick={close}
              {...(isCurrent && { 'aria-current': true, ref: scrollIntoView })}
            >
              <Group justify="space-between" gap="sm" wrap="nowrap">
                <Text size="sm" miw={0} truncate fw={isCurrent ? 600 : 400}>
                  {tenantName}
                </Text>
                {isCurrent && <Icon name="check" size={16} />}
              </Group>
              <Text size="xs" c="dimmed">
                {test ? `${role} · test` : role}
              </Text>
            </Link>
          )
        })}
        {mayCreate && (
          <Link to="/create-tenant" onClick={close}>
            Create a tenant …
          </Link>
        )}
      </nav>
      <Text size="sm" role="status" px="sm">
        {found.length === 0 && 'No tenant has this name.'}
      </Text>
    </>
  )
}

function scrollIntoView(link: HTMLAnchorElement | null): void {
  link?.scrollIntoView({ block: 'nearest' })
}

/** The page of a path, without what is only in its tenant, such as an opened verification. */
function samePage(pathname: string): string {
  const [, page = ''] = /^\/t\/[^/]+(\/.*)$/.exec(pathname) ?? []
  return page.replace(/^(\/verifications)\/.*/, '$1') || '/overview'
}

function includes(text: string, part: string): boolean {
  return text.toLocaleLowerCase().includes(part.trim().toLocaleLowerCase())
}
