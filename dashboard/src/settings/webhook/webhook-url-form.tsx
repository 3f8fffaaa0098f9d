import { TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useConsole } from '../../../console/console.ts'
import { toDomainError } from '../../../console/refusal.ts'
import { GuardedButton } from '../../../feedback/guarded-button.tsx'
import { tell } from '../../../feedback/tell.ts'
import { useObstacle } from '../../../session/rights.ts'
import { FieldForm } from '../../field-form.tsx'
import { RemoveUrl } from './remove-url.tsx'
import { UrlRuleList } from './url-rule-list.tsx'

const rulesId = 'webhook-url-rules'

export function UrlForm({ webhookUrl }: { webhookUrl: string | null }) {
  const [typed, setTyped] = useState(webhookUrl ?? '')
  const obstacle = useObstacle('settings')
  const console = useConsole()
  const queryClient = useQueryClient()
  const save = useMutation(
    console.settings.setWebhookUrl.mutationOptions({
      onSuccess: settings => {
        setTyped(settings.webhookUrl ?? '')
        queryClient.setQueryData(console.settings.get.queryKey(), settings)
        tell('The webhook URL is saved.')
      },
    }),
  )
  const url = typed.trim()
  const fault = save.error ? toDomainError(save.error).issues.find(issue => issue.path === 'url') : undefined
  return (
    <FieldForm
      onSubmit={() => url && save.mutate({ url })}
      obstacle={obstacle}
      error={fault ? undefined : save.error}
      field={
        <TextInput
          label="Webhook URL"
          placeholder="https://api.example.com/age-events"
          type="url"
          spellCheck={false}
          value={typed}
          error={fault?.message}
          aria-describedby={rulesId}
          readOnly={obstacle !== undefined}
          onChange={event => {
            save.reset()
            setTyped(event.currentTarget.value)
          }}
        />
      }
      buttons={
        <>
          <GuardedButton
            type="submit"
            loading={save.isPending}
            obstacle={obstacle ?? reasonNotToSave(url, webhookUrl)}
          >
            Save URL
          </GuardedButton>
          {webhookUrl !== null && <RemoveUrl obstacle={obstacle} onRemoved={() => setTyped('')} />}
        </>
      }
    >
      <UrlRuleList url={url === webhookUrl ? '' : url} id={rulesId} />
    </FieldForm>
  )
}

function reasonNotToSave(url: string, saved: string | null): string | undefined {
  if (url === '') return 'Enter a URL first.'
  return url === saved ? 'This URL is saved already.' : undefined
}
