import { Text, Textarea } from '@mantine/core'
import { Badge } from '../components/badge.tsx'
import { DescriptionList } from '../components/description-list.tsx'
import { useDisabledReason } from '../session/use-disabled-reason.ts'
import { type Outputs, useTrpc } from '../trpc/trpc.ts'
import { monospaceInput, ToolsPage } from './tools-page.tsx'
import { useToolForm } from './use-tool-form.ts'

export function SignaturePage() {
  const disabledReason = useDisabledReason('settings')
  const form = useToolForm(
    { body: '', headers: '' },
    useTrpc().settings.checkSignature.mutationOptions({ gcTime: 0 }),
  )
  return (
    <ToolsPage
      title="Signature checker"
      description="Which of your signing secrets signed a webhook event, or why none did."
      inputTitle="Event"
      form={form}
      submitLabel="Check signature"
      disabledReason={disabledReason}
      inputs={
        <>
          <Textarea
            label="Body"
            description="The raw body of the request, exactly as your receiver got it."
            autosize
            minRows={4}
            maxRows={16}
            styles={monospaceInput}
            {...form.inputProps('body')}
          />
          <Textarea
            label="Headers"
            description="The headers of the request, or only the value of X-Webhook-Signature."
            autosize
            minRows={2}
            maxRows={10}
            styles={monospaceInput}
            {...form.inputProps('headers')}
          />
        </>
      }
      result={form.result && <Verdict {...form.result} />}
    />
  )
}

function Verdict({ valid, secret, reason, message }: Outputs['settings']['checkSignature']) {
  return (
    <>
      <Text component="div" size="sm">
        <Badge tone={valid ? 'approved' : 'denied'}>{valid ? 'Valid' : 'Not valid'}</Badge> {message}
      </Text>
      <DescriptionList
        items={[
          ...(secret ? [{ name: 'Signed by', value: secretLabels[secret] }] : []),
          ...(reason ? [{ name: 'Reason code', value: <code>{reason}</code> }] : []),
        ]}
      />
    </>
  )
}

const secretLabels = { current: 'The current secret', previous: 'A previous secret' }
