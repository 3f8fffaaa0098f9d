import { Combobox, type ComboboxStore, Modal, Text, TextInput, useCombobox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { useNavigate } from 'react-router'
import { Icon } from '../components/icon.tsx'
import { holdPage } from '../components/keys.ts'
import { useSession, useTenantPath } from '../session/session-context.ts'
import { useTrpc } from '../trpc/trpc.ts'
import { type Command, findCommands, useCommands } from './commands.ts'
import classes from './palette.module.css'
import { pastedCommands, pastedName, whyNothing } from './pasted.ts'

interface Props {
  opened: boolean
  /** What it searches at first. */
  text: string
  /** `next` opens instead. */
  onClose: (next?: 'shortcuts') => void
}

/** Searches pages, actions and tenants, and recognizes what is pasted. */
export function Palette({ opened, text, onClose }: Props) {
  return (
    <Modal
      opened={opened}
      onClose={() => onClose()}
      title={text ? 'Switch tenant' : 'Search'}
      size="lg"
      yOffset="10dvh"
      centered={false}
      // Above any other dialog.
      zIndex={300}
      onKeyDown={holdPage}
    >
      <CommandSearch first={text} onDone={onClose} />
    </Modal>
  )
}

/** More than are in sight. The rest follows. */
const firstDrawn = 14

function CommandSearch({ first, onDone }: { first: string; onDone: Props['onClose'] }) {
  // With the command that the arrow keys have reached since; the best match is active before.
  const [{ text, reachedId }, setSearch] = useState<{ text: string; reachedId?: string }>({ text: first })
  const navigate = useNavigate()
  const toPath = useTenantPath()
  // Escape closes the list, which is the whole palette.
  const combobox = useCombobox({ opened: true, onOpenedChange: opened => opened || onDone() })
  const commands = [...useCommands(() => onDone('shortcuts')), ...useNamedObjects(text)]
  const named = findCommands(commands, pastedName(text) ?? text)
  const found = [...named, ...pastedCommands(text, named.length > 0)]
  const isDrawn = useDeferredValue(true, false)
  const shown = isDrawn ? found : found.slice(0, firstDrawn)
  const reached = shown.findIndex(({ id }) => id === reachedId)
  const active = Math.max(reached, 0)
  const reach = ({ id }: Command) => setSearch({ text, reachedId: id })
  const store: ComboboxStore = { ...combobox, ...navigation(shown, active, reach) }
  const run = (command: Command | undefined) => {
    onDone()
    command?.run?.()
    const to = command?.to ?? (command?.run ? undefined : command?.id)
    if (to) navigate(toPath(to))
  }
  return (
    <Combobox store={store} onOptionSubmit={id => run(shown.find(command => command.id === id))}>
      <Combobox.EventsTarget aria-activedescendant={shown[active] ? optionId(active) : ''}>
        <TextInput
          data-autofocus
          mt={4}
          aria-label="Search, or paste an ID, API key or token"
          placeholder="Search, or paste an ID or key"
          leftSection={<Icon name="search" size={16} />}
          value={text}
          maxLength={8_192}
          onChange={event => setSearch({ text: event.currentTarget.value })}
        />
      </Combobox.EventsTarget>
      <Combobox.Options className={classes.results ?? ''} aria-label="Results" tabIndex={0}>
        {[...Map.groupBy(shown, ({ group }) => group)].map(([group, commands]) => (
          <Combobox.Group key={group} label={group}>
            {commands.map(command => (
              <Combobox.Option
                key={command.id}
                id={optionId(shown.indexOf(command))}
                value={command.id}
                title={command.label}
                className={classes.option ?? ''}
                selected={command === shown[active]}
                {...(command === shown[active] && { ref: scrollIntoView })}
              >
                {command.label}
                <Text span size="xs" c="dimmed" ml="sm">
                  {command.hint}
                </Text>
              </Combobox.Option>
            ))}
          </Combobox.Group>
        ))}
      </Combobox.Options>
      <Text c="dimmed" role="status" px="sm">
        {shown.length === 0 && whyNothing(text)}
      </Text>
    </Combobox>
  )
}

/** What Mantine asks for when a key is pressed. It would select an option itself only after the options are drawn. */
function navigation(shown: Command[], active: number, reach: (command: Command) => void) {
  const move = (step: number) => {
    const next = shown.at((active + step) % shown.length)
    if (next) reach(next)
    return null
  }
  return {
    getSelectedOptionIndex: () => (shown[active] ? active : -1),
    clickSelectedOption: () => document.getElementById(optionId(active))?.click(),
    selectNextOption: () => move(1),
    selectPreviousOption: () => move(-1),
  }
}

const optionId = (index: number) => `palette-option-${index}`

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
