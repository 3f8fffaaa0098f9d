import { VisuallyHidden } from '@mantine/core'
import { IconCheck, IconPoint, IconX } from '@tabler/icons-react'
import classes from './url-rule-list.module.css'
import { urlRules } from './url-rules.ts'

/** The rules, each with how the URL that was typed does; for an empty one, just the rules. */
export function UrlRuleList({ url, id }: { url: string; id: string }) {
  return (
    <ul className={classes.list} id={id} aria-label="Rules for the webhook URL">
      {urlRules.map(({ sentence, holds }) => {
        const state = url === '' ? 'open' : holds(url) ? 'kept' : 'broken'
        const Icon = icons[state]
        return (
          <li key={sentence} data-state={state}>
            <Icon size={16} aria-hidden />
            <span>
              {sentence}
              {state !== 'open' && (
                <VisuallyHidden> {state === 'kept' ? 'Kept.' : 'Not kept.'}</VisuallyHidden>
              )}
            </span>
          </li>
        )
      })}
    </ul>
  )
}

const icons = { open: IconPoint, kept: IconCheck, broken: IconX }
