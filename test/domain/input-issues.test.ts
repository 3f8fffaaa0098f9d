import { expect } from 'chai'
import { type ZodType, z } from 'zod'
import { inputIssues } from '#domain/input-issues.ts'
import { readParameter } from '#domain/parameters.ts'

const named = z.strictObject({ name: z.string(), size: z.int().optional() })

/** A schema without messages of its own, an input, and the issues about it as sentences. */
const cases: [title: string, schema: ZodType, input: unknown, expected: string[]][] = [
  ['nothing', named, undefined, [' is required']],
  ['null', named, null, [' must be a JSON object, not null']],
  ['a missing field', named, {}, ['name is required']],
  ['a field of another type', named, { name: ['x'] }, ['name must be a string, not an array']],
  ['a fraction', named, { name: 'x', size: 1.5 }, ['size must be a whole number, not a number']],
  [
    'unknown fields',
    named,
    { name: 'x', nmae: 1, '': 2 },
    ['nmae is an unknown field; allowed: name, size', ' has a field without a name; allowed: name, size'],
  ],
  [
    'an unknown field where none is allowed',
    z.strictObject({}),
    { a: 1 },
    ['a is an unknown field; none is allowed'],
  ],
  ['a nested field', z.object({ list: z.array(named) }), { list: [{}] }, ['list.0.name is required']],
  ['another constant', z.literal('forward'), 'back', [' must be forward']],
  ['another option', z.enum(['owner', 'viewer']), 'admin', [' must be one of owner, viewer']],
  ['a missing option', z.object({ role: z.enum(['owner']) }), {}, ['role is required']],
  ['a long text', z.string().max(3), 'text', [' must have at most 3 characters']],
  ['an empty text', z.string().min(1), '', [' must not be empty']],
  ['a short text', z.string().min(2), 'x', [' must have at least 2 characters']],
  ['an empty list', z.array(z.string()).min(1), [], [' must not be empty']],
  ['a long list', z.array(z.string()).max(1), ['a', 'b'], [' must have at most 1 entries']],
  ['a short list', z.array(z.string()).min(2), ['a'], [' must have at least 2 entries']],
  ['a large number', z.number().max(3), 4, [' must be at most 3']],
  ['a number at an exclusive limit', z.number().lt(3), 3, [' must be less than 3']],
  ['a small number', z.number().min(3), 2, [' must be at least 3']],
  ['a number that is not positive', z.number().positive(), 0, [' must be more than 0']],
  ['a number between steps', z.number().multipleOf(5), 7, [' must be a multiple of 5']],
  ['no UUID', z.uuid(), 'x', [' must be a UUID']],
  ['no URL', z.url(), 'x', [' must be a URL']],
  ['no date', z.iso.date(), 'x', [' must be a date such as 2026-12-31']],
  ['no time', z.iso.datetime(), 'x', [' must be a date and time such as 2026-12-31T23:59:59Z']],
  ['another pattern', z.string().regex(/a/), 'b', [' must be in the documented format']],
  ['no alternative', z.union([z.string(), z.number()]), true, [' is not valid']],
  ['a failed rule', z.string().refine(() => false), 'x', [' is not valid']],
  ['a failed rule with a message', z.string().refine(() => false, 'must be x'), 'y', [' must be x']],
]

describe('The issues of an input', () => {
  for (const [title, schema, input, expected] of cases) {
    it(`have words of their own about ${title}`, () => {
      const { error } = schema.safeParse(input)
      const issues = inputIssues(error!)
      expect(issues.map(({ path, message }) => `${path} ${message}`)).to.deep.equal(expected)
    })
  }

  it('call what is unknown a parameter in a query', () => {
    const { error } = named.safeParse({ name: 'x', foo: '1' })
    expect(inputIssues(error!, 'parameter')).to.deep.equal([
      { path: 'foo', message: 'is an unknown parameter; allowed: name, size' },
    ])
  })

  it('are shortened, never within a character', () => {
    const { error } = z.strictObject({}).safeParse({ [`${'x'.repeat(126)}😀x`]: 1 })
    expect(inputIssues(error!)[0]!.path).to.equal(`${'x'.repeat(126)}\ufffd…`)
  })

  it('are the message of a single parameter', () => {
    expect(() => readParameter('limit', z.number().max(3), 4)).to.throw(/^must be at most 3$/)
  })
})
