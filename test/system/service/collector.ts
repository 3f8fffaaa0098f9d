import { createServer } from 'node:http'
import { listenLocally } from '../../harness/listen-locally.ts'

export interface CollectedSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  /** 1 internal, 2 server, 3 client. */
  kind: number
  /** By name. */
  attributes: Record<string, string | number>
  /** Whether it has the status error. */
  failed: boolean
}

/** An OpenTelemetry collector that keeps what it receives by OTLP over HTTP. */
export async function startCollector() {
  const bodies: string[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const isExport = request.method === 'POST' && request.url === '/v1/traces'
    if (isExport) bodies.push(Buffer.concat(chunks).toString())
    response.writeHead(isExport ? 200 : 404, { 'content-type': 'application/json' }).end('{}')
  })
  const { url, close } = await listenLocally(server)
  return {
    /** For OTEL_EXPORTER_OTLP_ENDPOINT. */
    url,
    spans: () => bodies.flatMap(spansOf),
    /** Everything that was received, as text. */
    text: () => bodies.join('\n'),
    close,
  }
}

interface OtlpAttribute {
  key: string
  value: { stringValue?: string; intValue?: number | string }
}

interface OtlpSpan extends Omit<CollectedSpan, 'attributes' | 'failed'> {
  attributes: OtlpAttribute[]
  status: { code: number }
}

function spansOf(body: string): CollectedSpan[] {
  const { resourceSpans } = JSON.parse(body) as {
    resourceSpans: { scopeSpans: { spans: OtlpSpan[] }[] }[]
  }
  const spans = resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(scope => scope.spans))
  return spans.map(({ attributes, status, ...span }) => ({
    ...span,
    attributes: Object.fromEntries(
      attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]),
    ),
    failed: status.code === 2,
  }))
}
