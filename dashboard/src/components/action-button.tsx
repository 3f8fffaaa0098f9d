import { Button, type ButtonProps, type ElementProps, Group, Tooltip } from '@mantine/core'
import { disabledTenantReason } from './console-error.ts'
import { Icon } from './icon.tsx'

interface Props extends ButtonProps, ElementProps<'button', keyof ButtonProps> {
  /** Why the action is unavailable; undefined if it is available. */
  disabledReason: string | undefined
}

/** A button that explains why it is disabled. It stays focusable, so that keyboard users can read the reason. */
export function ActionButton({ disabledReason, ...props }: Props) {
  if (disabledReason === undefined) return <Button {...props} />
  return (
    <Tooltip label={disabledReason}>
      <Button
        {...props}
        type="button"
        data-disabled
        aria-disabled
        aria-description={disabledReason}
        onClick={event => event.preventDefault()}
      />
    </Tooltip>
  )
}

/** Explains why the controls beside it are read-only. That the tenant is disabled is in the banner of every page. */
export function DisabledReasonNote({ reason }: { reason: string | undefined }) {
  if (reason === undefined || reason === disabledTenantReason) return null
  return (
    <Group gap="0.375rem" wrap="nowrap" fz="sm" c="dimmed">
      <Icon name="lock" size={15} />
      {reason}
    </Group>
  )
}
