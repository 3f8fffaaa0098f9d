import { Combobox, Group, Modal, Text, TextInput, useCombobox, useMantineColorScheme } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { Icon } from '../components/icon.tsx'
import { useActiveOption } from '../components/use-active-option.ts'
import { useSession } from '../session/session-context.ts'
import { useTenantPath } from '../session/tenant-path.ts'
import { useSignIn } from '../sign-in/sign-in-context.ts'
import { type Command, commandsOf, findCommands } from './commands.ts'
import { pastedCommands } from './pasted.ts'

interface Props {
  opened: boolean
  onClose: () => void
}

/** Searches pages, actions and tenants, and recognizes what is pasted. */
export function Palette({ opened, onClose }: Props) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title="Search"
      size="lg"
      yOffset="10dvh"
      centered={false}
      transitionProps={{ duration: 0 }}
    >
      <CommandSearch onDone={onClose} />
    </Modal>
  )
}

function CommandSearch({ onDone }: { onDone: () => void }) {
  const [text, setText] = useState('')
  const navigate = useNavigate()
  const toPath = useTenantPath()
  // Escape closes the list, which is the whole palette.
  const combobox = useCombobox({ opened: true, onOpenedChange: opened => opened || onDone() })
  const { activeId, store } = useActiveOption(combobox)
  const commands = useCommands()
  const shown = [...pastedCommands(text, path => navigate(toPath(path))), ...findCommands(commands, text)]
  const firstId = shown[0]?.id
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each best match, which Enter runs.
  useEffect(() => {
    if (firstId === undefined) store.resetSelectedOption()
    else store.selectFirstOption()
  }, [firstId])
  const run = (id: string) => {
    onDone()
    shown.find(command => command.id === id)?.run()
  }
  return (
    <Combobox store={store} onOptionSubmit={run}>
      <Combobox.EventsTarget aria-activedescendant={activeId}>
        <TextInput
          data-autofocus
          mt={4}
          aria-label="Search, or paste an ID, API key or token"
          placeholder="Search, or paste an ID, API key or token"
          leftSection={<Icon name="search" size={16} />}
          value={text}
          maxLength={8_192}
          onChange={event => {
            setText(event.currentTarget.value)
          }}
        />
      </Combobox.EventsTarget>
      <Combobox.Options mt="xs" aria-label="Results" mah="50dvh" style={{ overflowY: 'auto' }}>
        {shown.map(command => (
          <CommandOption key={command.id} command={command} />
        ))}
      </Combobox.Options>
      <Text size="sm" c="dimmed" role="status" px="sm" py="xs">
        {shown.length === 0 && 'Nothing has this name, ID or form.'}
      </Text>
    </Combobox>
  )
}

function useCommands(): Command[] {
  const { memberships, membership } = useSession()
  const { signOut } = useSignIn()
  const { setColorScheme } = useMantineColorScheme()
  const navigate = useNavigate()
  return commandsOf({ memberships, membership, goTo: navigate, setColorScheme, signOut })
}

function CommandOption({ command: { id, label, group } }: { command: Command }) {
  return (
    <Combobox.Option value={id} title={label}>
      <Group justify="space-between" gap="md" wrap="nowrap">
        <Text size="sm" truncate>
          {label}
        </Text>
        <Text size="xs" c="dimmed" flex="none">
          {group}
        </Text>
      </Group>
    </Combobox.Option>
  )
}
