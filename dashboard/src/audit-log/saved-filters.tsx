import { Button, TextInput } from '@mantine/core'
import { useDisclosure, useLocalStorage } from '@mantine/hooks'
import { startTransition, useState } from 'react'
import { Dialog } from '../components/dialog.tsx'
import { DialogForm } from '../components/form.tsx'
import { LinkTabs } from '../components/link-tabs.tsx'
import { notify } from '../components/notify.ts'
import { withParameter } from '../components/url-parameter.ts'
import { useMembership } from '../session/session-context.ts'

/** The filters that this browser keeps for the tenant, by name, and which of them is chosen by the query of the URL. */
export function useSavedFilters(query: string) {
  const { tenantId } = useMembership()
  // A query string: the query of each filter by its name. Whatever is stored instead can be read as one.
  const [stored, store] = useLocalStorage({
    key: `age-verification.audit-filters.${tenantId}`,
    defaultValue: '',
    getInitialValueInEffect: false,
  })
  const filters = [...new URLSearchParams(String(stored))].filter(([, saved]) => saved)
  return {
    query,
    filters,
    chosen: filters.find(([, saved]) => saved === query)?.[0],
    save: (name: string) => store(withParameter(String(stored), name, query)),
    remove: (name: string) => {
      store(withParameter(String(stored), name))
      notify(`Filter "${name}" deleted.`)
    },
  }
}

type Saved = ReturnType<typeof useSavedFilters>

/** Not there before one is saved. */
export function SavedFilters({ query, filters }: Saved) {
  if (filters.length === 0) return null
  const all = [['All events', ''] as const, ...filters]
  const tabs = all.map(([label, search]) => ({ label, to: { search }, isCurrent: search === query }))
  return <LinkTabs label="Saved filters" tabs={tabs} />
}

/** Saves the filter by a name that the user gives it, or deletes the one that is chosen. */
export function SaveFilter({ query, chosen, save, remove }: Saved) {
  const [opened, { open, close }] = useDisclosure()
  const [name, setName] = useState<string>()
  const submit = () => {
    if (!name?.trim()) return setName('')
    save(name.trim())
    setName(undefined)
    close()
  }
  if (query === '') return null
  return (
    <>
      <Button variant="subtle" px="xs" onClick={() => (chosen ? remove(chosen) : startTransition(open))}>
        {chosen ? 'Delete filter' : 'Save filter …'}
      </Button>
      <Dialog opened={opened} onClose={close} title="Save this filter">
        <DialogForm onSubmit={submit} onCancel={close} submitLabel="Save filter">
          <TextInput
            data-autofocus
            label="Name"
            description="It stays above the log in this browser. A saved filter of the same name is replaced."
            placeholder="Keys of last month"
            maxLength={40}
            value={name ?? ''}
            error={name === '' && 'Give the filter a name.'}
            onChange={event => setName(event.currentTarget.value)}
          />
        </DialogForm>
      </Dialog>
    </>
  )
}
