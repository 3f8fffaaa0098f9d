import { Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import { Icon } from '../components/icon.tsx'
import { PopoverDialog } from '../components/popover-dialog.tsx'
import { useSession, useTenantPath } from '../session/session-context.ts'
import { useTrpc } from '../trpc/trpc.ts'
import { type Command, findCommands, useCommands } from './commands.ts'
import classes from './palette.module.css'
import { pastedCommands, pastedName, whyNothing } from './pasted.ts'

interface Props {
  text: string
  /** `next` opens instead. */
  onClose: (next?: 'shortcuts') => void
}

/** Searches pages, actions and tenants, and recognizes what is pasted. `text`: what it searches at first. */
export function Palette({ text, onClose }: Props) {
  return (
    <PopoverDialog title={text ? 'Switch tenant' : 'Search'} onClose={() => onClose()}>
      <CommandSearch first={text} onDone={onClose} />
    </PopoverDialog>
  )
}

function CommandSearch({ first, onDone }: { first: string; onDone: Props['onClose'] }) {
  // With the command that the arrow keys have reached since; the best match is active before.
  const [{ text, reachedId }, setSearch] = useState<{ text: string; reachedId?: string }>({ text: first })
  const navigate = useNavigate()
  const toPath = useTenantPath()
  const commands = [...useCommands(() => onDone('shortcuts')), ...useNamedObjects(text)]
  const named = findCommands(commands, pastedName(text) ?? text)
  const shown = [...named, ...pastedCommands(text, named.length > 0)]
  const reached = shown.findIndex(({ id }) => id === reachedId)
  const active = shown[Math.max(reached, 0)]
  const run = (command: Command) => {
    onDone()
    command.run?.()
    const to = command.to ?? (command.run ? undefined : command.id)
    if (to) navigate(toPath(to))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1, Enter: 0 }[event.key]
    if (step === undefined || !active || event.nativeEvent.isComposing) return
    event.preventDefault()
    if (step === 0) run(active)
    else setSearch({ text, reachedId: shown.at((shown.indexOf(active) + step) % shown.length)!.id })
  }
  const optionId = (command: Command) => `${listId}-${shown.indexOf(command)}`
  return (
    <>
      <TextInput
        data-autofocus
        aria-label="Search, or paste an ID, API key or token"
        aria-haspopup="listbox"
        aria-controls={listId}
        aria-activedescendant={active ? optionId(active) : ''}
        placeholder="Search, or paste an ID or key"
        leftSection={<Icon name="search" size={16} />}
        value={text}
        maxLength={8_192}
        onKeyDown={onKeyDown}
        onChange={event => setSearch({ text: event.currentTarget.value })}
      />
      <div role="listbox" id={listId} className={classes.results} aria-label="Results" tabIndex={0}>
        {[...Map.groupBy(shown, ({ group }) => group)].map(([group, commands]) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a list box.
          <div key={group} role="group" aria-label={group}>
            <Text size="xs" c="dimmed" px="xs" py={6} aria-hidden>
              {group}
            </Text>
            {commands.map(command => (
              <button
                key={command.id}
                type="button"
                role="option"
                tabIndex={-1}
                id={optionId(command)}
                title={command.label}
                className={classes.option}
                aria-selected={command === active}
                ref={command === active ? scrollIntoView : null}
                onMouseDown={event => event.preventDefault()}
                onClick={() => run(command)}
              >
                {command.label}
                {command.hint && <small> · {command.hint}</small>}
              </button>
            ))}
          </div>
        ))}
      </div>
      <Text c="dimmed" role="status">
        {shown.length === 0 && whyNothing(text)}
      </Text>
    </>
  )
}

const listId = 'palette-results'

/** Names are searched from so many characters on. */
const searchedFrom = 2

/** API keys and members, which are found by their names. */
function useNamedObjects(text: string): Command[] {
  const { membership } = useSession()
  const options = { enabled: membership !== undefined && text.trim().length >= searchedFrom, staleTime: 60_000 }
  const trpc = useTrpc()
  const { data: keys } = useQuery(trpc.apiKeys.list.queryOptions({ limit: 100 }, options))
  const { data: members } = useQuery(trpc.members.list.queryOptions({ limit: 100 }, options))
  if (membership === undefined || !options.enabled) return []
  const { tenantId, tenantName } = membership
  return [
    ...(keys?.items ?? []).map(({ apiKeyId, name, displayStart, state }) => ({
      id: `/api-keys?key=${apiKeyId}`,
      label: name,
      group: 'API keys',
      hint: state === 'active' ? undefined : state,
      keywords: `${apiKeyId} ${displayStart}`,
    })),
    ...(members?.items ?? []).map(({ issuer, subject, name, email }) => ({
      id: `${issuer} ${subject}`,
      to: `/settings/members?search=${encodeURIComponent(email ?? name ?? subject)}`,
      label: name ?? email ?? subject,
      group: 'Members',
      keywords: `${email} ${subject}`,
    })),
    { id: tenantId, label: tenantName, group: 'Tenants', to: '/settings', hint: 'You are in it', keywords: tenantId },
  ]
}

const scrollIntoView = (option: HTMLElement | null) => option?.scrollIntoView({ block: 'nearest' })
