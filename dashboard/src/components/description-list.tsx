import { DataList } from '@mantine/core'
import type { ReactNode } from 'react'

interface Item {
  name: string
  value: ReactNode
}

/** Names and values in two columns; in one column on narrow screens. */
export function DescriptionList({ items }: { items: Item[] }) {
  return (
    <DataList withDivider gap="0.4375rem" labelWidth="min(9rem, 100%)">
      {items.map(({ name, value }) => (
        <DataList.Item key={name}>
          <DataList.ItemLabel>{name}</DataList.ItemLabel>
          <DataList.ItemValue>{value}</DataList.ItemValue>
        </DataList.Item>
      ))}
    </DataList>
  )
}
