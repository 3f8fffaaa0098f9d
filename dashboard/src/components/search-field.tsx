import { TextInput, type TextInputProps } from '@mantine/core'
import { Icon } from './icon.tsx'

interface Props extends TextInputProps {
  'aria-label': string
  value: string
  onSearch: (text: string) => void
}

/** Beside a list, of which it shows what has the text. */
export function SearchField({ onSearch, ...props }: Props) {
  return (
    <TextInput
      type="search"
      size="xs"
      maw={{ base: 'none', xs: '16rem' }}
      leftSection={<Icon name="search" size={14} />}
      onChange={event => onSearch(event.currentTarget.value)}
      {...props}
    />
  )
}
