import { Button } from '@mantine/core'
import { useEffect } from 'react'
import { flushSync } from 'react-dom'
import { announce } from '../components/announcer.tsx'
import { Icon } from '../components/icon.tsx'
import { pageSize, type useVerificationList } from './use-verification-list.ts'
import classes from './verification-list.module.css'
import { linkIdOf } from './verification-table.tsx'

/** Lies over the list while it differs from what is shown: rows come and go only when the user asks for it. */
export function NewRows({ list }: { list: ReturnType<typeof useVerificationList> }) {
  const { newRows, removedRows, latestId, showLatest } = list
  const label = [
    newRows > 0 && `${newRows === pageSize ? `${newRows} or more` : newRows} new`,
    removedRows > 0 && `${removedRows} no longer in this list`,
  ]
    .filter(Boolean)
    .join(', ')
  useEffect(() => {
    if (label) announce(`${label}.`)
  }, [label])
  if (!label) return null
  const show = () => {
    flushSync(showLatest)
    window.scrollTo({ top: 0 })
    if (latestId) document.getElementById(linkIdOf(latestId))?.focus({ preventScroll: true })
  }
  return (
    <div className={classes.newRows}>
      <Button size="xs" radius="xl" leftSection={<Icon name="arrow-up" size={14} />} onClick={show}>
        {label}
      </Button>
    </div>
  )
}
