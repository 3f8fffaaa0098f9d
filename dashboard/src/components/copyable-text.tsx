import { CopyIconButton } from './copy-icon-button.tsx'
import classes from './copyable-text.module.css'

interface Props {
  value: string
  label: string
}

/** An id with its copy button. */
export function CopyableText({ value, label }: Props) {
  return (
    <span className={classes.root}>
      <code className={classes.text}>{value}</code>
      <CopyIconButton value={value} label={label} />
    </span>
  )
}
