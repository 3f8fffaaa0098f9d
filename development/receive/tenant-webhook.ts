import { z } from 'zod'
import type { OperatorContext } from '../demo/open-service.ts'
import { runOperator } from '../demo/operator.ts'

/**
 * Sets a tenant's webhook URL until `closing` is disposed of, which restores the previous one. Returns the secret that
 * signs events. Throws a `DemoAssertionError` if the operator's command fails.
 */
export async function borrowTenantWebhook(
  context: OperatorContext,
  tenantId: string,
  url: string,
  closing: AsyncDisposableStack,
): Promise<string> {
  const settings = z.object({ webhookUrl: z.string().nullable() })
  const { webhookUrl } = await runOperator(context, ['tenant', 'settings', '--tenant', tenantId], settings)
  const set = (...target: string[]) => ['tenant', 'set-webhook', '--tenant', tenantId, ...target]
  const shown = z.object({ webhookSecret: z.string() })
  const { webhookSecret } = await runOperator(context, set('--url', url), shown)
  closing.defer(async () => {
    const previous = webhookUrl === null ? ['--clear'] : ['--url', webhookUrl]
    await runOperator(context, set(...previous), z.unknown())
  })
  return webhookSecret
}
