import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { signTestEvent } from '#clients/typescript/src/index.ts'
import { completedEvent } from '#domain/webhook/completed-event.ts'
import { eventTypes } from '#domain/webhook/delivery.entity.ts'

/** `test/architecture` compares it with the declarations, and `generated-files.test.ts` TypeScript's types with it. */
const openapi = JSON.parse(readFileSync('openapi.json', 'utf8'))
const read = (file: string) => readFileSync(file, 'utf8')

interface Body {
  content: Record<string, { schema: { $ref: string } }>
}

/** The name and the fields of a body in JSON; those of its `data` are below it. */
function schemaOf({ content }: Body): { name: string; fields: string[] } {
  const name = content['application/json']!.schema.$ref.split('/').at(-1)!
  const { data, ...properties } = openapi.components.schemas[name].properties
  return { name, fields: fieldsOf({ ...properties, ...(data && { data: data.properties }) }) }
}

function fieldsOf({ data = {}, ...envelope }: Record<string, object>): string[] {
  return [...Object.keys(envelope), ...Object.keys(data).map(name => `data.${name}`)]
}

describe('The client for Python has every field of', () => {
  const paths = Object.keys(openapi.paths).filter(path =>
    /^\/(verify\/|verifications$|tokens\/validate)/.test(path),
  )
  const responses: Body[] = paths
    .flatMap(path => Object.values<{ responses: Record<string, Body> }>(openapi.paths[path]))
    .flatMap(({ responses }) => responses['200'] ?? responses['201'] ?? [])
  const schemas = new Map(responses.map(schemaOf).map(({ name, fields }) => [name, fields]))
  schemas.set('VerificationChange', Object.keys(openapi.components.schemas.VerificationChange.properties))
  const file = 'clients/python/age_verification/results.py'

  /** Also those of the class that it extends. */
  function fieldsOfClass(kind: string): string[] {
    const [, base = '', body = ''] =
      new RegExp(`class ${kind}\\((\\w+)\\):\n([^]*?)\n\n\n`).exec(read(file)) ?? []
    const own = [...body.matchAll(/^ {4}(\w+): /gm)].map(([, field]) => field!)
    return base === 'Result' || base === '' ? own : [...own, ...fieldsOfClass(base)]
  }

  for (const [name, fields] of schemas) {
    it(name, () => {
      const kind = name === 'VerificationStatus' ? 'VerificationResult' : name
      const known = fieldsOfClass(kind)
      const named = fields.map(field => field.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`))
      const missing = named.filter(field => !known.includes(field))
      expect(missing, `fields to add to ${kind} in ${file}, as optional ones`).to.deep.equal([])
    })
  }
})

describe('The event', () => {
  const remedy = 'declare it in development/openapi/webhooks.ts, then npm run openapi && npm run sdk-types'
  const declared = (type: string) => schemaOf(openapi.webhooks[type].post.requestBody).fields

  for (const type of eventTypes) {
    it(`${type} is in the OpenAPI document, the page about webhooks and both clients, with each field`, async () => {
      expect(Object.keys(openapi.webhooks), remedy).to.include(type)
      const page = read('docs/webhooks.md')
      const python = read('clients/python/age_verification/webhook.py')
      const typeScript = read('clients/typescript/src/verify-webhook.ts')
      expect(page, 'describe it in docs/webhooks.md').to.contain(`\`${type}\``)
      expect(python, 'check its data in _read_event, and sign it in sign_test_event').to.contain(`"${type}"`)
      expect(typeScript, 'check its data in isEvent, and sign it in sign-test-event.ts').to.contain(
        `'${type}'`,
      )
      const fields = declared(type)
      const tested = JSON.parse((await signTestEvent('secret', { event: type })).body)
      expect(fieldsOf(tested), 'sign each field in sign-test-event.ts').to.have.members(fields)
      for (const field of fields) {
        expect(page, 'describe each field in docs/webhooks.md').to.contain(`| \`${field}\` |`)
        expect(python, 'sign each field in sign_test_event').to.contain(`"${field.replace('data.', '')}":`)
      }
    })
  }

  it('that is sent has the fields of the OpenAPI document', () => {
    const ids = { verificationId: 'v', tenantId: 't' }
    const sent = completedEvent({ ...ids, status: 'denied', confidence: 1, provider: 'veriff' }, new Date())
    const event = JSON.parse(sent)
    expect(declared(event.event), remedy).to.have.members(fieldsOf(event))
  })
})
