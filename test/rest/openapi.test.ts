import { expect } from 'chai'
import { errorsOf, openApiDocument } from '#development/openapi/document.ts'
import { completedEvent as completedEventSchema } from '#development/openapi/webhooks.ts'
import { errorCatalogue } from '#domain/error-codes.ts'
import { newId } from '#domain/ids.ts'
import { completedStatuses } from '#domain/verification/verification.policy.ts'
import { completedEvent } from '#domain/webhook/completed-event.ts'
import { statusOf } from '#rest/errors.ts'
import { documentedEndpoints } from '#rest/router.ts'
import { expectError } from '../harness/expect-error.ts'
import { call } from '../harness/tenant-client.ts'
import { useService } from '../harness/use-service.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests read the parts that they expect, and fail if they are missing
type Node = any

const baseUrl = 'https://verify.example'
const document: Node = openApiDocument(baseUrl)

/** The node, or what it refers to. */
function resolve(node: Node): Node {
  if (typeof node?.$ref !== 'string') return node
  return node.$ref
    .split('/')
    .slice(1)
    .reduce((at: Node, key: string) => at[key], document)
}

const operationAt = (path: string, method: string) => document.paths[path]?.[method.toLowerCase()]

describe('GET /openapi.json', () => {
  const service = useService()

  it('is the document of the tenant API, with the address of this service', async () => {
    const response = await call(`${service.baseUrl}/openapi.json`)
    expect(response.status).to.equal(200)
    expect(response.headers.get('content-type')).to.match(/^application\/json/)
    expect(response.body).to.deep.equal(JSON.parse(JSON.stringify(openApiDocument(service.baseUrl))))
    expect(response.body.servers).to.deep.equal([{ url: service.baseUrl }])
    expect(response.body.externalDocs.url).to.equal(`${service.baseUrl}/docs`)
  })
})

describe('A service without test tenants', () => {
  const service = useService({ env: { TEST_TENANTS: 'false' } })

  it('has none of their routes, and does not document them', async () => {
    const { body, headers } = await call(`${service.baseUrl}/openapi.json`)
    expect(headers.get('content-type')).to.equal('application/json; charset=utf-8')
    expect(JSON.stringify(body)).not.to.match(/\/test\b|[Tt]est[A-Z]|Test tenants/)
    const paths = Object.keys(document.paths)
    const others = paths.filter(path => !path.startsWith('/test/'))
    expect(others).to.have.length.below(paths.length)
    expect(Object.keys(body.paths)).to.deep.equal(others)
    const { securitySchemes, ...components } = body.components
    const declared = Object.entries<object>(components).flatMap(([kind, parts]) =>
      Object.keys(parts).map(name => `#/components/${kind}/${name}`),
    )
    const referred = [...JSON.stringify(body).matchAll(/"\$ref":"(.+?)"/g)].map(([, to]) => to)
    expect(new Set(referred)).to.deep.equal(new Set(declared))
    expect(await (await fetch(`${service.baseUrl}/docs/api`)).text()).not.to.include('/test/')
    for (const path of [
      ...paths,
      '/test/sessions/none',
      '/test/sessions/page.css',
      '/test/.well-known/jwks.json/',
    ]) {
      if (others.includes(path)) continue
      for (const method of ['GET', 'POST', 'OPTIONS'] as const) {
        const missing = await call(
          service.baseUrl + path.replace('{list}', '1').replace('{id}', newId(new Date())),
          { method },
        )
        expectError(missing, 'ROUTE_NOT_FOUND')
        expect(missing.body.message).not.to.include('/test')
        expect(missing.body).not.to.have.property('details')
      }
    }
    expect((await call(`${service.baseUrl}/.well-known/jwks.json`)).status).to.equal(200)
  })
})

describe('The OpenAPI document of the tenant API', () => {
  it('names each operation of a tenant as its client would, and no other', () => {
    const named = Object.entries<Node>(document.paths).flatMap(([path, item]) =>
      Object.entries<Node>(item).map(([method, { operationId }]) => [
        `${method.toUpperCase()} ${path}`,
        operationId,
      ]),
    )
    expect(Object.fromEntries(named)).to.deep.equal({
      'POST /verify/start': 'startVerification',
      'GET /verify/status': 'getVerificationStatus',
      'POST /verify/submit': 'submitVerification',
      'GET /verifications': 'listVerificationChanges',
      'POST /verify/complete': 'completeVerification',
      'POST /tokens/validate': 'validateToken',
      'GET /.well-known/jwks.json': 'getJwks',
      'GET /tokens/status-lists/{list}': 'getTokenStatusList',
      'POST /test/verifications/{id}/outcome': 'chooseTestOutcome',
      'GET /test/events': 'listTestEvents',
      'GET /test/.well-known/jwks.json': 'getTestJwks',
      'GET /test/tokens/status-lists/{list}': 'getTestTokenStatusList',
    })
  })

  for (const endpoint of documentedEndpoints) {
    const { method, path } = endpoint
    const operation = operationAt(path, method)

    it(`lists the codes that ${method} ${path} returns, each with an example and typed details, and no other`, () => {
      const listed = Object.entries<Node>(operation.responses).flatMap(([status, reference]) => {
        if (Number(status) < 400) return []
        const { content, description } = resolve(reference)
        const { schema, examples } = content['application/json']
        const bodies = (schema.oneOf ?? [schema]).map((body: Node) => resolve(body))
        const codes: string[] = bodies.map(({ properties }: Node) => properties.error.const)
        expect(Object.keys(examples)).to.deep.equal(codes)
        for (const code of codes) {
          expect(examples[code].value.error).to.equal(code)
          expect(description).to.contain(`\`${code}\``)
          expect(statusOf[code as keyof typeof statusOf]).to.equal(Number(status))
        }
        return codes
      })
      expect(listed.toSorted()).to.deep.equal(errorsOf(endpoint).toSorted())
    })
  }

  it('lists every error code for an operation, except those of the router and of the console', () => {
    const listed = new Set(documentedEndpoints.flatMap(errorsOf))
    for (const code of ['ROUTE_NOT_FOUND', 'NOT_PROVISIONED', 'TENANT_NOT_PROVISIONED'] as const)
      listed.add(code)
    expect([...listed].toSorted()).to.deep.equal(Object.keys(errorCatalogue).toSorted())
  })

  it('says wherever it matters that approved does not mean 18 or over', () => {
    const { VerificationStatus, VerificationCompletedEvent } = document.components.schemas
    for (const text of [
      document.info.description,
      operationAt('/verify/start', 'POST').description,
      operationAt('/verify/status', 'GET').description,
      VerificationStatus.properties.status.description,
      VerificationStatus.properties.over18.description,
      document.webhooks['verification.completed'].post.description,
      VerificationCompletedEvent.properties.data.properties.status.description,
    ]) {
      expect(text)
        .to.match(/approved/i)
        .and.match(/18 or over|on `over18`/)
    }
  })

  it('describes the body of the webhook for each status that it can have, with an example', () => {
    const { examples } =
      document.webhooks['verification.completed'].post.requestBody.content['application/json']
    expect(Object.keys(examples)).to.have.members(completedStatuses)
    for (const status of completedStatuses) {
      const [tenantId, verificationId] = [newId(new Date()), newId(new Date())]
      const sent = completedEvent(
        { tenantId, verificationId, status, confidence: 0.5, provider: 'veriff' },
        new Date(),
      )
      expect(completedEventSchema.parse(JSON.parse(sent))).to.deep.equal(JSON.parse(sent))
    }
  })

  it('has tokens in its examples that say of the age what the example says', () => {
    const admitted: boolean[] = []
    for (const { over18, token } of objectsIn(document)) {
      if (typeof token !== 'string' || over18 === undefined) continue
      const payload = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString())
      expect(payload.over18).to.equal(over18 === true)
      admitted.push(payload.over18)
    }
    expect(new Set(admitted)).to.have.length(2)
  })

  it('describes every field, with an example', () => {
    const lacking = [...fieldsIn(document)].flatMap(([at, field]) => {
      const described = [field, resolve(field)].some(({ description }) => description)
      return [
        ...(described ? [] : [`${at} has no description`]),
        ...(hasExample(field) ? [] : [`${at} has no example`]),
      ]
    })
    expect(lacking).to.deep.equal([])
  })
})

function* objectsIn(node: Node): Generator<Node> {
  if (typeof node !== 'object' || node === null) return
  yield node
  for (const child of Object.values(node)) yield* objectsIn(child)
}

/** Every property, parameter and header in the document, with its place. */
function* fieldsIn(node: Node, at = '#'): Generator<[at: string, field: Node]> {
  if (typeof node !== 'object' || node === null || at.endsWith('/value') || at.endsWith('/example')) return
  const fields = [
    ...Object.entries<Node>(typeof node.type === 'string' ? (node.properties ?? {}) : {}),
    ...Object.entries<Node>(typeof node.description === 'string' ? (node.headers ?? {}) : {}),
    ...('in' in node && 'schema' in node ? [[node.name, node]] : []),
  ] as [string, Node][]
  for (const [name, field] of fields) yield [`${at} ${name}`, field]
  for (const [key, child] of Object.entries(node)) yield* fieldsIn(child, `${at}/${key}`)
}

/** Its own or those of all of its parts; a constant is its own example. */
function hasExample(reference: Node): boolean {
  const field = resolve(reference)
  if ('example' in field || 'const' in field) return true
  if (field.schema) return hasExample(field.schema)
  if (field.properties) return Object.values(field.properties).every(part => hasExample(part))
  const parts = field.items ? [field.items] : (field.anyOf ?? field.oneOf ?? [])
  const described = parts.filter(({ type }: Node) => type !== 'null')
  return described.length > 0 && described.every((part: Node) => hasExample(part))
}
