import { expect } from 'chai'
import { z } from 'zod'
import type { Endpoint } from '#rest/endpoint.ts'
import { statusOf } from '#rest/errors.ts'
import { errorsOf } from '#rest/openapi.ts'
import { endpoints } from '#rest/router.ts'
import { decisionOn, sendCallback, sessionOf } from '#test/support/provider-callback.ts'
import { type ApiResponse, call, tenantClient } from '#test/support/tenant-client.ts'
import { createTestTenant } from '#test/support/test-service.ts'
import { useService } from '#test/support/use-service.ts'

/** The parts of OpenAPI 3.1 that generators of clients depend on. */
const responseObject = z.object({
  description: z.string().min(1),
  headers: z.record(z.string(), z.object({ schema: z.record(z.string(), z.unknown()) })).optional(),
  // None has a 304.
  content: z.record(z.string(), z.object({ schema: z.record(z.string(), z.unknown()) })).optional(),
})
const operation = z.object({
  operationId: z.string().regex(/^[a-zA-Z]+$/),
  summary: z.string().min(1),
  description: z.string().min(1),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  parameters: z.array(z.object({ in: z.enum(['query', 'header', 'path']), name: z.string() })).optional(),
  requestBody: z
    .object({ required: z.boolean().optional(), content: z.record(z.string(), z.unknown()) })
    .optional(),
  responses: z.record(z.string().regex(/^[1-5]\d\d$/), responseObject),
})
const openApi = z.object({
  openapi: z.string().regex(/^3\.1\.\d+$/),
  info: z.object({ title: z.string(), version: z.string() }),
  servers: z.array(z.object({ url: z.url() })),
  paths: z.record(z.string().startsWith('/'), z.partialRecord(z.enum(['get', 'post']), operation)),
  components: z.object({
    schemas: z.record(z.string(), z.record(z.string(), z.unknown())),
    securitySchemes: z.record(z.string(), z.record(z.string(), z.unknown())),
  }),
})
type OpenApi = z.infer<typeof openApi>

describe('GET /openapi.json', () => {
  const service = useService()
  before(async () => {
    const response = await call(`${service.baseUrl}/openapi.json`)
    expect(response.status).to.equal(200)
    expect(response.headers.get('content-type')).to.match(/^application\/json/)
    text = JSON.stringify(response.body)
    document = openApi.parse(response.body)
  })
  let text: string
  let document: OpenApi

  const operationAt = ({ method, path }: Pick<Endpoint, 'method' | 'path'>) => {
    const found = document.paths[path]?.[method.toLowerCase() as 'get' | 'post']
    expect(found, `${method} ${path}`).to.not.equal(undefined)
    return found!
  }

  it('names this service, and has every schema that it refers to', () => {
    expect(document.servers).to.deep.equal([{ url: service.baseUrl }])
    for (const [, name] of text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)) {
      expect(document.components.schemas).to.have.property(name!)
    }
    expect(text.match(/"\$ref":"(?!#\/components\/schemas\/)/)).to.equal(null)
    const ids = endpoints.map(endpoint => operationAt(endpoint).operationId)
    expect(new Set(ids).size).to.equal(ids.length)
    expect(document.components.securitySchemes).to.deep.equal({
      tenantApiKey: { type: 'apiKey', in: 'header', name: 'x-tenant-api-key' },
    })
  })

  it('describes every endpoint, and no other', () => {
    const declared = endpoints.map(({ method, path }) => `${method} ${path}`)
    const described = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map(method => `${method.toUpperCase()} ${path}`),
    )
    expect(described.sort()).to.deep.equal(declared.sort())
  })

  for (const endpoint of endpoints) {
    it(`lists every error code of ${endpoint.method} ${endpoint.path} under its status`, () => {
      const { responses, security } = operationAt(endpoint)
      for (const code of errorsOf(endpoint)) {
        expect(responses[statusOf[code]]?.description, code).to.include(`\`${code}\``)
      }
      expect(security).to.deep.equal(endpoint.access.by === 'tenant' ? [{ tenantApiKey: [] }] : [])
    })
  }

  it('has schemas that match real responses, successful or not', async () => {
    const client = tenantClient(service, await createTestTenant(service))
    const started = await client.start({ ip: '203.0.113.9' }, { 'idempotency-key': 'a' })
    const { verificationId } = started.body
    const open = await client.status(verificationId)
    const submitted = await client.submit(verificationId)
    const session = await sessionOf(service, verificationId)
    const received = await sendCallback(service, decisionOn(session, 'approved'))
    const approved = await client.status(verificationId)
    const unknownTenant = tenantClient(service, { apiKey: 'none' })
    const start = { method: 'POST', path: '/verify/start' } as const
    const status = { method: 'GET', path: '/verify/status' } as const
    const submit = { method: 'POST', path: '/verify/submit' } as const
    const complete = { method: 'POST', path: '/verify/complete' } as const
    const validate = { method: 'POST', path: '/tokens/validate' } as const
    const callback = { method: 'POST', path: '/verify/callback' } as const
    const jwks = { method: 'GET', path: '/.well-known/jwks.json' } as const
    const real: [Pick<Endpoint, 'method' | 'path'>, ApiResponse][] = [
      [start, started],
      [start, await client.start({ unknown: 1 })],
      [start, await unknownTenant.start()],
      [status, open],
      [status, approved],
      [status, await client.status('x')],
      [status, await client.status('019a0b1c-2d3e-7f40-8a5b-6c7d8e9fa0b1')],
      [submit, submitted],
      [submit, await client.submit(verificationId)],
      [complete, await client.send('/verify/complete', { method: 'POST' })],
      [validate, await client.validate(approved.body.token)],
      [validate, await client.validate('x')],
      [validate, await client.validate(1)],
      [callback, received],
      [callback, await sendCallback(service, '{}', { secret: 'wrong' })],
      [jwks, await call(`${service.baseUrl}/.well-known/jwks.json`)],
    ]
    for (const [at, response] of real) {
      const described = operationAt(at).responses[response.status]
      expect(described, `${at.path} ${response.status}`).to.not.equal(undefined)
      const schema = schemaOf(described!.content!['application/json']!.schema)
      const checked = schema.safeParse(response.body)
      expect(checked.error?.issues, `${at.path} ${JSON.stringify(response.body)}`).to.equal(undefined)
    }
  })

  it('has schemas that reject responses which the service never sends', () => {
    const { schema } = operationAt({ method: 'GET', path: '/verify/status' }).responses['200']!.content![
      'application/json'
    ]!
    expect(schemaOf(schema).safeParse({ verificationId: 'x', status: 'unknown' }).success).to.equal(false)
  })

  /** The zod schema of a schema of the document. */
  function schemaOf(schema: Record<string, unknown>): z.ZodType {
    const whole = { ...schema, components: document.components }
    const named = typeof schema.$ref === 'string' ? schema.$ref.split('/').at(-1)! : undefined
    return z.fromJSONSchema(named ? document.components.schemas[named]! : whole)
  }
})
