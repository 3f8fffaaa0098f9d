import { Box, Group, Stack, Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { type ReactNode, useId, useState } from 'react'
import { FreshnessPlace } from './query-state.tsx'

interface Props {
  title: string
  description?: ReactNode
  /** Buttons beside the title. */
  actions?: ReactNode
  children: ReactNode
}

/** Names the browser's tab too, where the title can be another one: that of what is open on the page. */
export function Page(props: Props & { documentTitle?: string | undefined }) {
  const { title, documentTitle = title, description, actions, children } = props
  usePageTitle(documentTitle)
  const [freshnessPlace, setFreshnessPlace] = useState<HTMLElement | null>(null)
  return (
    <Stack gap="1.25rem" miw={0}>
      {/* From the top: the title stays where it is, however tall the actions beside it are. */}
      <Group justify="space-between" align="flex-start" gap={description ? '0.75rem 1.5rem' : '0.75rem 0.5rem'}>
        <Box flex={description ? '1 1 15rem' : '1 1 auto'} maw="44rem">
          <Title order={1} tabIndex={-1} style={{ outline: 'none' }}>
            {title}
          </Title>
          <Description>{description}</Description>
        </Box>
        <Group gap="0.75rem" mih={{ base: 0, xs: '1.5rem' }}>
          {/* Without a box while it is empty, so that the actions begin at the edge where they wrap. */}
          <div ref={setFreshnessPlace} style={{ display: 'contents' }} />
          {actions}
        </Group>
      </Group>
      <FreshnessPlace value={freshnessPlace}>{children}</FreshnessPlace>
    </Stack>
  )
}

/** A titled card on a page. A link can lead to its title by the `id`. */
export function Section({ id: givenId, title, description, actions, children }: Props & { id?: string }) {
  const ownId = useId()
  const id = givenId ?? ownId
  return (
    <Stack
      component="section"
      aria-labelledby={id}
      miw={0}
      p={{ base: 'md', xs: '1.25rem' }}
      bd="1px solid var(--line)"
      bdrs="md"
      bg="var(--surface)"
    >
      <Group justify="space-between" align="flex-start" gap="0.5rem 1rem">
        <div>
          <Title order={2} id={id}>
            {title}
          </Title>
          <Description>{description}</Description>
        </div>
        {actions}
      </Group>
      {children}
    </Stack>
  )
}

function Description({ children }: { children: ReactNode }) {
  return children && <Text c="dimmed">{children}</Text>
}

/** The element that tooltips are rendered into: inside the main landmark, and not clipped by an ancestor. */
export const tooltipContainerId = 'tooltips'

/** Names the browser's tab after the page that is shown. */
export function usePageTitle(title: string): void {
  useDocumentTitle(`${title} · Age verification`)
}

/** A `ref` that moves the focus to an element as soon as it is shown. The attribute `autofocus` does so once per page. */
export function focusOnMount(element: HTMLElement | null): void {
  element?.focus()
}
