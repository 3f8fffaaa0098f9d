import type { ComboboxStore } from '@mantine/core'
import { useEffect, useState } from 'react'

/**
 * The ID of the option that the keyboard reached, for `aria-activedescendant`: Mantine's field goes on naming one that a
 * search has removed. Use the returned store instead of the given one.
 */
export function useActiveOption(combobox: ComboboxStore) {
  const [activeId, setActiveId] = useState('')
  const { dropdownOpened } = combobox
  useEffect(() => {
    if (!dropdownOpened) setActiveId('')
  }, [dropdownOpened])
  const keep = (id: string | null) => {
    setActiveId(id ?? '')
    return id
  }
  const store: ComboboxStore = {
    ...combobox,
    selectFirstOption: () => keep(combobox.selectFirstOption()),
    selectNextOption: () => keep(combobox.selectNextOption()),
    selectPreviousOption: () => keep(combobox.selectPreviousOption()),
    resetSelectedOption: () => {
      setActiveId('')
      combobox.resetSelectedOption()
    },
  }
  return { activeId, store }
}
