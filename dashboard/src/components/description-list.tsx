import { DataList } from '@mantine/core'
import type { ReactNode } from 'react'

/** Names and values in two columns; in one column where both don't fit. */
export function DescriptionList({ items }: { items: { name: string; value: ReactNode }[] }) {
  return (
    <DataList withDivider gap="0.4375rem" labelWidth="min(9rem, 100%)">
      {items.map(({ name, value }) => (
        <DataList.Item key={name} style={{ flexWrap: 'wrap', rowGap: 0 }}>
          <DataList.ItemLabel flex="none">{name}</DataList.ItemLabel>
          <DataList.ItemValue flex="1 1 10rem" miw={0} style={{ overflowWrap: 'anywhere' }}>
            {value}
          </DataList.ItemValue>
        </DataList.Item>
      ))}
    </DataList>
  )
}
