import { Button, Flex } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { MouseEvent, ReactNode } from 'react'
import { Icon } from './icon.tsx'

interface Props {
  /** Of those that are set. */
  count: number
  /** Always there, before the others. */
  first?: ReactNode
  /** Undefined while there is nothing to clear. */
  onClear: (() => void) | undefined
  children: ReactNode
}

/** The fields of a list's filters. On phones, they are behind a button. */
export function FilterFields({ count, first, onClear, children }: Props) {
  const [isExpanded, { toggle }] = useDisclosure()
  const clear = ({ currentTarget }: MouseEvent) => {
    // The button goes away.
    currentTarget.closest('search')?.querySelector('select')?.focus()
    onClear?.()
  }
  return (
    <Flex component="search" wrap="wrap" align="flex-end" gap="sm">
      {first}
      <Button
        hiddenFrom="sm"
        variant="default"
        leftSection={<Icon name="adjustments-horizontal" size={16} />}
        aria-expanded={isExpanded}
        aria-controls="filter-fields"
        onClick={toggle}
      >
        {count > 0 ? `Filters (${count})` : 'Filters'}
      </Button>
      <Flex
        id="filter-fields"
        display={{ base: isExpanded ? 'flex' : 'none', sm: 'contents' }}
        flex="1 0 100%"
        wrap="wrap"
        align="flex-end"
        gap="sm"
      >
        {children}
        {onClear && (
          <Button variant="subtle" px="xs" onClick={clear}>
            Clear filters
          </Button>
        )}
      </Flex>
    </Flex>
  )
}
