import { Combobox, type ComboboxStore, Modal, Text, TextInput, useCombobox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { Icon } from '../components/icon.tsx'
import { holdPage } from '../components/keys.ts'
import { useConfig } from '../config.ts'
import { useCreatableKinds, useSession, useTenantPath } from '../session/session-context.ts'
import { useSignIn } from '../sign-in/sign-in-context.ts'
import { useTrpc } from '../trpc/trpc.ts'
import { type Command, findCommands, listCommands } from './commands.ts'
import classes from './palette.module.css'
import { pastedCommands, pastedName, whyNothing } from './pasted.ts'
import { takeTypedAhead } from './typed-ahead.ts'

interface Props {
  opened: boolean
  /** What it searches at first. */
  text: string
  /** `next` opens instead. */
  onClose: (next?: 'shortcuts') => void
}

/** Searches pages, actions and tenants, and recognizes what is pasted. */
export function Palette({ opened, text, onClose }: Props) {
  const { pathname } = useLocation()
  useEffect(() => {
    if (/\/verifications\/./.test(pathname)) recent = [...new Set([pathname, ...recent])].slice(0, 5)
  }, [pathname])
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

/** The paths of the verifications that this tab has shown, the latest first. They are gone with the tab. */
let recent: string[] = []

/** More than are in sight. The rest follows. */
const firstDrawn = 14

interface Search {
  text: string
  /** The command that the arrow keys have reached since the text was typed; the best match is active before. */
  reachedId?: string
}

function CommandSearch({ first, onDone }: { first: string; onDone: Props['onClose'] }) {
  const [{ text, reachedId }, setSearch] = useState<Search>({ text: first })
  const navigate = useNavigate()
  const toPath = useTenantPath()
  // Escape closes the list, which is the whole palette.
  const combobox = useCombobox({ opened: true, onOpenedChange: opened => opened || onDone() })
  const commands = [...useCommands(() => onDone('shortcuts')), ...useNamedObjects(text)]
  const find = (words: string) => {
    const named = findCommands(commands, pastedName(words) ?? words)
    return [...named, ...pastedCommands(words, named.length > 0)]
  }
  const isDrawn = useDeferredValue(true, false)
  const found = find(text)
  const shown = isDrawn ? found : found.slice(0, firstDrawn)
  const active = Math.max(
    shown.findIndex(({ id }) => id === reachedId),
    0,
  )
  const store: ComboboxStore = {
    ...combobox,
    ...navigation(shown, active, command => setSearch({ text, reachedId: command.id })),
  }
  const run = (command: Command | undefined) => {
    onDone()
    command?.run?.()
    const to = command?.to ?? (command?.run ? undefined : command?.id)
    if (to) navigate(toPath(to))
    if (to && command?.group === 'Actions') pressButton(command.id)
  }
  const onFocus = () => {
    const ahead = takeTypedAhead()
    if (ahead.text !== '') setSearch({ text: first + ahead.text })
    if (ahead.isEntered && ahead.text !== '') run(find(first + ahead.text)[0])
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
          onFocus={onFocus}
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

const lookAgainMs = 50
const looksMax = 100

/** As soon as its page has it. The focus returns to it after its dialog. */
function pressButton(id: string, looks = 0): void {
  setTimeout(() => {
    const button = document.getElementById(id)
    button?.focus()
    if (button) button.click()
    else if (looks < looksMax) pressButton(id, looks + 1)
  }, lookAgainMs)
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

function useCommands(showShortcuts: () => void): Command[] {
  const { memberships, membership } = useSession()
  const { signOut } = useSignIn()
  const { baseUrl } = useConfig()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const mayCreate = useCreatableKinds().length > 0
  const list = useTenantPath()('/verifications/')
  return [
    ...recent
      .filter(path => path.startsWith(list) && path !== pathname)
      .map(path => ({ id: path, label: path.slice(-8), group: 'Recent verifications', run: () => navigate(path) })),
    ...listCommands({ memberships, membership, mayCreate, pathname, navigate, signOut, showShortcuts, baseUrl }),
  ]
}

/** Names are searched from so many characters on. */
const searchedFrom = 2

/** API keys, members and reasons of denials, which are found by their names. */
function useNamedObjects(text: string): Command[] {
  const { membership } = useSession()
  const options = { enabled: membership !== undefined && text.trim().length >= searchedFrom, staleTime: 60_000 }
  const trpc = useTrpc()
  const { data: keys } = useQuery(trpc.apiKeys.list.queryOptions({ limit: 100 }, options))
  const { data: members } = useQuery(trpc.members.list.queryOptions({ limit: 100 }, options))
  const { data: reasons } = useQuery(trpc.verifications.reasons.queryOptions(undefined, options))
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
    ...(reasons?.items ?? []).map(({ reasonCode, description }) => ({
      id: `/verifications?reason=${reasonCode}`,
      label: `${description} (${reasonCode})`,
      group: 'Reasons of denials',
      keywords: 'denied',
    })),
    { id: tenantId, label: tenantName, group: 'Tenants', to: '/settings', hint: 'You are in it', keywords: tenantId },
  ]
}

function scrollIntoView(option: HTMLElement | null): void {
  option?.scrollIntoView({ block: 'nearest' })
}
