import classes from './change-list.module.css'

/** What an entry of the audit log says of the change, name by name. */
export function ChangeList({ changes }: { changes: Record<string, unknown> }) {
  const entries = Object.entries(changes)
  if (entries.length === 0) return '–'
  return (
    <ul className={classes.list}>
      {entries.map(([name, value]) => (
        <li key={name}>
          <span className={classes.name}>{name}</span> {inWords(value)}
        </li>
      ))}
    </ul>
  )
}

function inWords(value: unknown): string {
  if (value === null || value === undefined) return 'none'
  if (Array.isArray(value)) return value.map(inWords).join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
