import type { RequestListener } from 'node:http'
import { expect } from 'chai'
import type { ProviderFailure } from '#domain/ports.ts'
import {
  against,
  closeAll,
  created,
  expectUnavailable,
  sessionRequest,
  sessionUrl,
} from './client-harness.ts'
import { approved, decisionBody, sessionId, vendorData } from './payloads.ts'

const page = '<!doctype html><title>secret-token</title>'
const html = { 'content-type': 'text/html' }
const json = { 'content-type': 'application/json' }
const fail = (code: unknown) => ({ status: 'fail', code, message: 'Session not found' })

type Answer = [status: number, body: unknown, headers?: Record<string, string>]

function answering([status, body, headers = json]: Answer): RequestListener {
  const bytes = typeof body === 'string' ? body : JSON.stringify(body)
  return (_request, response) => response.writeHead(status, headers).end(bytes)
}

/** What a poll is answered with, and how it fails. */
const failingPolls: Record<string, [ProviderFailure, RegExp, Answer]> = {
  'a page with 404': ['foreign_response', /returned 404, but not/, [404, page, html]],
  'a page with 404 that claims to be JSON': ['foreign_response', /returned 404, but not/, [404, page]],
  'an empty 404': ['foreign_response', /returned 404, but not/, [404, '']],
  'an empty object with 404': ['foreign_response', /returned 404, but not/, [404, {}]],
  'JSON of something else with 404': [
    'foreign_response',
    /returned 404, but not/,
    [404, { error: 'Not Found', code: 'NOT_FOUND' }],
  ],
  'a framework’s JSON with 404': [
    'foreign_response',
    /returned 404, but not/,
    [404, { status: 404, code: 404, error: 'Not Found' }],
  ],
  'an error without a code': ['foreign_response', /returned 404, but not/, [404, { status: 'fail' }]],
  'text with 404': ['foreign_response', /returned 404, but not/, [404, '"1104"']],
  'a page with 200': ['foreign_response', /returned 200, but not/, [200, page, html]],
  'nothing with 200': ['foreign_response', /returned 200, but not/, [200, '']],
  'nothing with 204': ['foreign_response', /returned 204, but not/, [204, '']],
  'a redirect': ['foreign_response', /returned 302, but not/, [302, '', { location: 'https://a.example/' }]],
  'a permanent redirect': ['foreign_response', /returned 308, but not/, [308, page, { location: '/v2' }]],
  'a page of a firewall': ['foreign_response', /returned 403, but not/, [403, page, html]],
  'a gateway without its server': ['server_error', /returned 502$/, [502, page, html]],
  'an unknown key with 404': ['rejected', /returned 404 with code 1803/, [404, fail('1803')]],
  'JSON without a decision': ['invalid_response', /unreadable/, [200, { status: 'success' }]],
  'an error with 200': ['invalid_response', /unreadable/, [200, { ...fail('1104'), verification: null }]],
  'a list': ['invalid_response', /unreadable/, [200, []]],
  'an unknown status': [
    'unknown_status',
    /unknown status "approved_with_remarks"$/,
    [200, decisionBody({ status: 'approved_with_remarks' })],
  ],
  'a known status in capitals': [
    'unknown_status',
    /unknown status "APPROVED"$/,
    [200, decisionBody({ status: 'APPROVED' })],
  ],
  'an unknown status that is long and not ASCII': [
    'unknown_status',
    /unknown status "\?\?\?\?a{36}"$/,
    [200, decisionBody({ status: `é\n "${'a'.repeat(2_000)}` })],
  ],
  'an empty status': ['unknown_status', /unknown status ""$/, [200, decisionBody({ status: '' })]],
  'a status that is no text': ['invalid_response', /unreadable/, [200, decisionBody({ status: 9001 })]],
  'a decision of another session': [
    'invalid_response',
    /another session$/,
    [200, decisionBody({ id: '11111111-2222-4333-8444-555555555555' })],
  ],
  'a decision with other vendor data': [
    'invalid_response',
    /another verification$/,
    [200, decisionBody({ vendorData: '019a0b1c-2d3e-7f40-8a5b-6c7d8e9fa0ff' })],
  ],
  'a decision without vendor data': [
    'invalid_response',
    /another verification$/,
    [200, decisionBody({ vendorData: null })],
  ],
  'a decision whose vendor data is no text': [
    'invalid_response',
    /returned an unreadable decision, approved$/,
    [200, decisionBody({ vendorData: { id: vendorData } })],
  ],
}

const undecidedPolls: Record<string, Answer> = {
  'no decision yet': [200, { status: 'success', verification: null }],
  'a session that is being filled in': [200, decisionBody({ status: 'started' })],
  'a session that is submitted': [200, decisionBody({ status: 'submitted' })],
  'an unknown session': [404, fail('1104')],
  'an unknown session, with another code': [404, fail('1005')],
  'an unknown session, with a number': [404, fail(1005)],
}

const failingStarts: Record<string, [ProviderFailure, RegExp, Answer]> = {
  'a page with 200': ['foreign_response', /returned 200, but not/, [200, page, html]],
  'a page with 404': ['foreign_response', /returned 404, but not/, [404, page, html]],
  'a redirect': ['foreign_response', /returned 307, but not/, [307, '', { location: 'https://a.example/' }]],
  'another verification’s session': [
    'invalid_response',
    /another verification$/,
    [201, sessionWith({ vendorData: '019a0b1c-2d3e-7f40-8a5b-6c7d8e9fa0ff' })],
  ],
  'vendor data that is no text': ['invalid_response', /unreadable/, [201, sessionWith({ vendorData: 12 })]],
}

const acceptedStarts: Record<string, Record<string, unknown>> = {
  'our vendor data': { vendorData },
  'our vendor data in capitals': { vendorData: vendorData.toUpperCase() },
  'no vendor data, as in old integrations': { vendorData: null },
  'empty vendor data': { vendorData: '' },
}

function sessionWith(fields: Record<string, unknown>) {
  return { ...created, verification: { ...created.verification, ...fields } }
}

describe("What counts as Veriff's response", () => {
  afterEach(closeAll)

  for (const [what, [failure, reason, answer]] of Object.entries(failingPolls)) {
    it(`to a poll is not ${what}`, async () => {
      const { client } = await against(answering(answer))
      const error = await expectUnavailable(client.fetchDecision(sessionId, vendorData), reason)
      expect(error.failure).to.equal(failure)
      expect(error.message).to.match(/^[\x20-\x7e]{1,120}$/)
    })
  }

  for (const [what, answer] of Object.entries(undecidedPolls)) {
    it(`to a poll can be ${what}`, async () => {
      const { client } = await against(answering(answer))
      expect(await client.fetchDecision(sessionId, vendorData)).to.equal(undefined)
    })
  }

  it('to a poll can have its ids in capitals', async () => {
    const ids = { id: sessionId.toUpperCase(), vendorData: vendorData.toUpperCase() }
    const { client } = await against(answering([200, decisionBody(ids)]))
    expect(await client.fetchDecision(sessionId, vendorData)).to.deep.equal(approved)
  })

  for (const [what, [failure, reason, answer]] of Object.entries(failingStarts)) {
    it(`to a start is not ${what}`, async () => {
      const { client } = await against(answering(answer))
      const error = await expectUnavailable(client.createSession(sessionRequest), reason)
      expect(error.failure).to.equal(failure)
    })
  }

  for (const [what, fields] of Object.entries(acceptedStarts)) {
    it(`to a start can have ${what}`, async () => {
      const { client } = await against(answering([201, sessionWith(fields)]))
      const session = await client.createSession(sessionRequest)
      expect(session).to.deep.equal({ providerSessionId: sessionId, sessionUrl })
    })
  }

  const failingDeletions: [deletion: Answer, poll: Answer, ProviderFailure][] = [
    [[200, page, html], [404, fail('1104')], 'foreign_response'],
    [[204, ''], [404, fail('1104')], 'foreign_response'],
    [[200, fail('1104')], [404, fail('1104')], 'invalid_response'],
    [[302, '', { location: '/login' }], [404, fail('1104')], 'foreign_response'],
    [[404, page, html], [404, page, html], 'foreign_response'],
    [[404, page, html], [404, {}], 'foreign_response'],
    [[404, page, html], [200, page, html], 'foreign_response'],
    [[404, fail('1104')], [200, {}], 'invalid_response'],
  ]
  for (const [deletion, poll, failure] of failingDeletions) {
    it(`to a deletion is not ${JSON.stringify(deletion)}, with ${JSON.stringify(poll)} for the poll after it`, async () => {
      const { client } = await against((request, response) =>
        answering(request.method === 'GET' ? poll : deletion)(request, response),
      )
      const error = await expectUnavailable(client.deleteSession(sessionId), /^Veriff returned /)
      expect(error.failure).to.equal(failure)
    })
  }
})
