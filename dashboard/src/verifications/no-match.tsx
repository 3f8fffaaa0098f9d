import { Button } from '@mantine/core'
import { IconFilterOff } from '@tabler/icons-react'
import { NothingHere } from '../feedback/nothing-here.tsx'

export function NoMatch({ onClear }: { onClear: () => void }) {
  return (
    <NothingHere
      Icon={IconFilterOff}
      title="No verification matches"
      description="None of this tenant's verifications is like that."
    >
      <Button variant="default" onClick={onClear}>
        Clear the filters
      </Button>
    </NothingHere>
  )
}
