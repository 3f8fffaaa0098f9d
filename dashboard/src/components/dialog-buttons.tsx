import { Button, Group } from '@mantine/core'

interface Props {
  /** Names the action, as in "Create link". */
  submitLabel: string
  pending: boolean
  /** Whether there is nothing to submit yet. */
  disabled?: boolean
  onCancel: () => void
}

/** The buttons of a form in a dialog. */
export function DialogButtons({ submitLabel, pending, disabled = false, onCancel }: Props) {
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={onCancel}>
        Cancel
      </Button>
      <Button type="submit" loading={pending} disabled={disabled}>
        {submitLabel}
      </Button>
    </Group>
  )
}
