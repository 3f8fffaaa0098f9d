import { execFileSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { expect } from 'chai'

/**
 * Private words for things that have a standard name, each with the name to use. Several parts stand for a phrase and
 * for an identifier alike: `stand in` is found in "stand-in", `standIn`, `stand_in` and "Stand in".
 */
const retired: Record<string, string> = {
  'answer once': 'withIdempotencyKey',
  alarm: 'wake signal',
  asker: 'IPC requester',
  bell: 'notifier',
  bells: 'notifiers',
  'be told': 'be notified, receive',
  'configured outside': 'configuredDependencies',
  'console door': 'mountConsole',
  doors: 'middleware',
  ear: 'listener',
  eavesdrop: 'listener',
  figures: 'metrics',
  forget: 'purge, redact, delete, invalidate',
  forgets: 'purges, redacts, deletes, invalidates',
  forgotten: 'purged, redacted, deleted, invalidated',
  gatekeeper: 'key admission',
  gatekeepers: 'key admission',
  'in vain': 'without a result',
  'kept secret': 'loadOrCreateSecret',
  knock: 'request',
  knocks: 'requests',
  'nothing here': 'EmptyState',
  obstacle: 'disabled reason',
  obstacles: 'disabled reasons',
  refusal: 'DomainError, rejection',
  refusals: 'DomainErrors, rejections',
  'side by side': 'runConcurrently, concurrently',
  'stand in': 'simulator',
  'stand ins': 'simulators',
  surprise: 'DemoAssertionError',
  surprises: 'DemoAssertionErrors',
  'what is outside': 'dependencies',
  workshop: 'EmbeddedContext',
}

/** Identifiers only: as an ordinary preposition, "outside" is fine. */
const retiredIdentifiers = /\bOutside\b/g

const files = /(\.(ts|tsx|mts|mjs|js|md|css|html|sql|json|sh)|(^|\/)\.env\.example|^\.ci\/run)$/
const unchecked = ['package-lock.json', 'test/architecture/vocabulary.test.ts']

describe('The vocabulary', () => {
  it('of code, tests and documents has none of the retired words', () => {
    const found = trackedFiles().flatMap(file => retiredWordsIn(readFileSync(file, 'utf8'), file))
    expect(found.length, `retired words:\n${found.join('\n')}\n`).to.equal(0)
  })

  for (const text of [
    'a Gatekeeper admits',
    'createStandIn()',
    'veriff-stand-in',
    'stand_in',
    'STAND_IN_URL',
    'it stands: a stand in',
    'asks_in_vain',
    'sideBySide',
    'side-by-side',
    'forgetAll',
    'HTTPRefusal',
    'what is\n * outside',
    'const one: Outside',
  ]) {
    it(`finds the retired word in ${JSON.stringify(text)}`, () => {
      expect(retiredWordsIn(text, 'file')).to.have.length(1)
    })
  }

  for (const text of [
    'a default appears',
    'early years of hearing',
    'label, labelledby',
    'outside the range',
    'indoors',
    'they stand, in a queue',
    'a standing order',
    'side.by.side',
  ]) {
    it(`accepts ${JSON.stringify(text)}`, () => {
      expect(retiredWordsIn(text, 'file')).to.deep.equal([])
    })
  }
})

function trackedFiles(): string[] {
  const listed = execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8' }).split('\0')
  return listed.filter(
    file => files.test(file) && !unchecked.includes(file) && statSync(file, { throwIfNoEntry: false }),
  )
}

/** Every retired word with its place, such as `rest/errors.ts:3: refusal (use: DomainError, rejection)`. */
function retiredWordsIn(text: string, file: string): string[] {
  const found: { at: number; word: string; use: string }[] = []
  for (const { 0: word, index } of text.matchAll(pattern)) {
    if (!startsPart(text, index) || !endsPart(text, index + word.length)) continue
    const parts = word.toLowerCase().replace(separators, ' ')
    found.push({ at: index, word: parts, use: useOf.get(parts.replaceAll(' ', ''))! })
  }
  for (const { 0: word, index } of text.matchAll(retiredIdentifiers)) {
    found.push({ at: index, word, use: 'Dependencies' })
  }
  return found.map(({ at, word, use }) => `${file}:${lineOf(text, at)}: ${word} (use: ${use})`)
}

/** Between the parts of a phrase or an identifier: nothing, a hyphen, an underscore, or blanks with comment marks. */
const separators = /[-_]|\s+(?:(?:\*|\/\/|--|#)\s+)?/g
const separator = '(?:[-_]|\\s+(?:(?:\\*|//|--|#)\\s+)?)?'
const pattern = new RegExp(
  Object.keys(retired)
    .map(word => word.replaceAll(' ', separator))
    .toSorted((a, b) => b.length - a.length)
    .join('|'),
  'gi',
)
const useOf = new Map(Object.entries(retired).map(([word, use]) => [word.replaceAll(' ', ''), use]))

/** Whether a word, or a part of a camelCase, kebab-case or snake_case identifier, starts there. */
function startsPart(text: string, at: number): boolean {
  const [before, first, second] = [text[at - 1] ?? ' ', text[at]!, text[at + 1] ?? ' ']
  if (!/[a-z]/i.test(before)) return true
  return /[A-Z]/.test(first) && (/[a-z]/.test(before) || /[a-z]/.test(second))
}

/** Whether one ends before that place. */
function endsPart(text: string, at: number): boolean {
  const [last, after, next] = [text[at - 1]!, text[at] ?? ' ', text[at + 1] ?? ' ']
  if (!/[a-z]/i.test(after)) return true
  return /[A-Z]/.test(after) && (/[a-z]/.test(last) || /[a-z]/.test(next))
}

function lineOf(text: string, at: number): number {
  return text.slice(0, at).split('\n').length
}
