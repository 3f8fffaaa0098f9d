import { Accordion, Group, Loader, ThemeIcon } from '@mantine/core'
import type { ReactNode } from 'react'
import { Badge } from '../components/badge.tsx'
import { Icon } from '../components/icon.tsx'

export type StepState = 'todo' | 'waiting' | 'done'

interface Props {
  /** Identifies the step among those of the list. */
  name: string
  number: number
  title: string
  state: StepState
  children?: ReactNode
}

/** A step that opens and closes. Its state is shown as a word, too. */
export function Step({ name, number, title, state, children }: Props) {
  return (
    <Accordion.Item value={name}>
      <Accordion.Control icon={<Marker number={number} state={state} />}>
        <Group gap="xs">
          {title}
          {state !== 'todo' && (
            <Badge tone={state === 'done' ? 'approved' : 'waiting'}>
              {state === 'done' ? 'Done' : 'Waiting'}
            </Badge>
          )}
        </Group>
      </Accordion.Control>
      <Accordion.Panel>{children}</Accordion.Panel>
    </Accordion.Item>
  )
}

function Marker({ number, state }: { number: number; state: StepState }) {
  return (
    <ThemeIcon radius="xl" variant="light" color={state === 'done' ? 'green' : 'gray'} aria-hidden>
      {state === 'done' ? (
        <Icon name="check" size={16} />
      ) : state === 'waiting' ? (
        <Loader size={14} />
      ) : (
        number
      )}
    </ThemeIcon>
  )
}
