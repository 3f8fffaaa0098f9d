import type { z } from 'zod'
import { keyHeader } from '#rest/authenticate.ts'
import type { DocumentedEndpoint, TenantEndpoint } from '#rest/endpoint.ts'
import { toExamples } from './list-fields.ts'

export const collectionName = 'age-verification.postman_collection.json'

interface Step {
  operationId: string
  /** By default the operation's summary. */
  name?: string
  /** In place of the operation's examples. */
  body?: object
  /** Fields of the response that later steps send. */
  keeps?: string[]
  /** What a test tenant's result has to be. */
  expects?: Record<string, unknown>
}

/** In an order in which each succeeds. */
const steps: Step[] = [
  { operationId: 'startVerification', keeps: ['verificationId', 'sessionUrl'] },
  { operationId: 'getVerificationStatus' },
  { operationId: 'submitVerification' },
  { operationId: 'chooseTestOutcome', body: { outcome: 'adult' } },
  {
    operationId: 'getVerificationStatus',
    name: 'Read the result, and decide by over18',
    keeps: ['token'],
    expects: { status: 'approved', over18: true },
  },
  { operationId: 'validateToken', expects: { valid: true, reason: 'OK' } },
  { operationId: 'getJwks' },
]

/** What the steps before have kept. */
const kept: Record<string, string> = {
  verificationId: '{{verificationId}}',
  id: '{{verificationId}}',
  token: '{{token}}',
}

/**
 * The endpoints as a collection for Postman (format 2.1) and newman, with a test in each request. The key is left to its user.
 * Without test tenants somebody has to complete the verification, at its `sessionUrl`, before its result is read.
 */
export function postmanCollection(baseUrl: string, endpoints: readonly DocumentedEndpoint[]): string {
  const isTest = endpoints.some(({ operationId }) => operationId === 'chooseTestOutcome')
  const item = steps.flatMap(step => {
    const endpoint = endpoints.find(({ operationId }) => operationId === step.operationId)
    return endpoint ? [requestItem(step, endpoint as TenantEndpoint, isTest)] : []
  })
  const variables = { baseUrl, apiKey: '', verificationId: '', sessionUrl: '', token: '' }
  const collection = {
    info: {
      name: 'Age Verification Service',
      description: `Set the variable apiKey to a key of a ${isTest ? 'test ' : ''}tenant, and send the requests in their order. The guides are at ${baseUrl}/docs.`,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: {
      type: 'apikey',
      apikey: Object.entries({ key: keyHeader, value: '{{apiKey}}', in: 'header' }).map(toPair),
    },
    variable: Object.entries(variables).map(toPair),
    item,
  }
  return `${JSON.stringify(collection, null, 2)}\n`
}

function requestItem(step: Step, endpoint: TenantEndpoint, isTest: boolean) {
  const { method, path, query, body, summary, description, response, kind } = endpoint
  const route = path.replace(/\{(\w+)\}/g, (_, name) => kept[name]!)
  const pairs = Object.entries(query ? inputs(query) : {}).map(toPair)
  const search = pairs.length > 0 ? `?${pairs.map(({ key, value }) => `${key}=${value}`).join('&')}` : ''
  const url = { raw: `{{baseUrl}}${route}${search}`, host: ['{{baseUrl}}'], path: route.slice(1).split('/') }
  const raw = JSON.stringify(step.body ?? (body ? inputs(body.schema as z.ZodObject) : {}), null, 2)
  return {
    name: step.name ?? summary,
    request: {
      method,
      description,
      url: { ...url, query: pairs },
      header: [],
      ...(kind !== 'tenant' && { auth: { type: 'noauth' } }),
      ...(body && { body: { mode: 'raw', raw, options: { raw: { language: 'json' } } } }),
    },
    event: [
      { listen: 'test', script: { type: 'text/javascript', exec: script(step, response.status, isTest) } },
    ],
  }
}

/** The required inputs: what was kept, or the example of the document. */
function inputs(schema: z.ZodObject): Record<string, unknown> {
  const examples = Object.entries(toExamples(schema))
  return Object.fromEntries(examples.map(([name, example]) => [name, kept[name] ?? example]))
}

/** The lines of a test in Postman's JavaScript. */
function script({ keeps = [], expects }: Step, status: number, isTest: boolean): string[] {
  return [
    `pm.test('responds with ${status}', () => pm.response.to.have.status(${status}))`,
    ...(isTest && expects
      ? [
          `pm.test('is that of an adult', () => pm.expect(pm.response.json()).to.include(${JSON.stringify(expects)}))`,
        ]
      : []),
    ...keeps.map(name => `pm.collectionVariables.set('${name}', pm.response.json().${name} ?? '')`),
  ]
}

function toPair([key, value]: [string, unknown]) {
  return { key, value }
}
