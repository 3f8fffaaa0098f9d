import type { StatementVersion } from '#domain/practice-statement/get-statement.ts'
import type { Fact, Section, Statement } from '#domain/practice-statement/practice.ts'
import { codeBlock } from '../docs/code-block.ts'
import { readGroups } from '../docs/documents.ts'
import { layOut } from '../docs/layout.ts'
import { type Html, html } from '../html/html.ts'

interface Parts {
  found: StatementVersion
  /** Newest first. */
  versions: readonly StatementVersion[]
  statement: Statement
  /** That of the version before it. */
  before: Statement | undefined
  baseUrl: string
  /** Whether it is at the address without a version. */
  isNewest: boolean
}

/** A version of the practice statement as a page. The statement of any version has the same form, so none has to be known. */
export function statementPage(parts: Parts): string {
  const { found, statement, baseUrl, isNewest } = parts
  const root = isNewest ? '' : '../'
  const sections = Object.entries(statement.sections)
  const titles = [...sections.map(([id, { title }]) => [id, title]), ...Object.entries(ownSections)]
  const contents = html`<ul class="contents">
${titles.map(([id, title]) => html`<li><a href="#${id!}">${title!}</a></li>\n`)}</ul>
`
  const content = html`<nav aria-label="Related pages"><a href="${root}dashboard">Dashboard</a> · <a href="${root}docs">Documentation</a></nav>
<h1>Practice statement</h1>
<p>What the service at <strong>${new URL(statement.service).host}</strong> does to find out whether a person is 18 or over, how
well it does, and what it keeps. It has the form that ISO/IEC 27566-1 describes, and is made from what runs; it is no certificate.</p>
<dl class="facts">
${describeVersion(parts, root)}</dl>
${describeMissing(statement)}${sections.map(([id, section]) => renderSection(id, section))}
${describeCheck(found, baseUrl)}
${listVersions(parts, root)}`
  const page = { name: 'practice-statement', title: `Practice statement, version ${found.version}`, root }
  return layOut({ ...page, sections: [], contents, content }, readGroups(), baseUrl).markup
}

/** Sections that are not part of the statement, by ID. */
const ownSections = { check: 'Check the hash', all: 'All versions of this statement' }

/** The facts that a statement lacks. */
export function factsWithoutText({ sections }: Statement): Fact[] {
  const facts = Object.values(sections).flatMap(section => Object.values(section.facts))
  return facts.filter(({ text }) => text === null)
}

function describeVersion({ found, versions, statement, before }: Parts, root: string): Html {
  const newest = versions[0]!
  const next = versions.find(({ version }) => version === found.version + 1)
  const address = `${root}practice-statement`
  const later =
    next &&
    html`, until ${time(next.since)}. <a href="${address}">Version ${newest.version} is in force now</a>`
  return html`<div><dt>Version</dt><dd>${found.version}</dd></div>
<div><dt>In force</dt><dd>since ${time(found.since)}${later ?? ''}</dd></div>
${before ? html`<div><dt>Changed since version ${found.version - 1}</dt><dd>${listChanges(statement, before)}</dd></div>\n` : ''}<div><dt>SHA-256</dt><dd><code>${found.sha256}</code></dd></div>
<div><dt>For programs</dt><dd><a href="${root}practice-statement/${found.version}.json">JSON</a></dd></div>
`
}

/** The facts that differ, with links to them, and those that are there no more. */
function listChanges(statement: Statement, before: Statement): Html {
  const now = factsById(statement)
  const then = factsById(before)
  const changed = [...now].filter(([id, { text }]) => then.get(id)?.text !== text)
  const gone = [...then].filter(([id]) => !now.has(id))
  const links = [
    ...changed.map(([id, { name }]) => html`<a href="#${id}">${name}</a>`),
    ...gone.map(([, { name }]) => html`${name} (left out)`),
  ]
  return links.length === 0
    ? html`Only the wording.`
    : html`${links.map((link, index) => html`${index > 0 ? '; ' : ''}${link}`)}`
}

function factsById({ sections }: Statement): Map<string, Fact> {
  const facts = Object.entries(sections).flatMap(([section, { facts }]) =>
    Object.entries(facts).map(([name, fact]) => [`${section}-${name}`, fact] as const),
  )
  return new Map(facts)
}

function describeMissing(statement: Statement): Html | string {
  const missing = factsWithoutText(statement)
  if (missing.length === 0) return ''
  const names = missing.map(({ name }) => name).join('; ')
  return html`<div class="note warning"><p><strong>Not complete.</strong> The operator of the service has not stated: ${names}.</p></div>
`
}

function renderSection(id: string, { title, facts }: Section): Html {
  return html`<section aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
<dl class="facts">
${Object.entries(facts).map(([name, fact]) => renderFact(`${id}-${name}`, fact))}</dl>
</section>
`
}

/** Names no setting: who reads the page is not who runs the service, whom the JSON and `operator doctor` tell. */
function renderFact(id: string, { name, text }: Fact): Html {
  const said =
    text === null ? html`<span class="missing">Not stated by the operator.</span>` : withLinks(text)
  return html`<div id="${id}"><dt><a href="#${id}">${name}</a></dt><dd>${said}</dd></div>\n`
}

/** An address of the web or of e-mail, without what ends the sentence. */
const address = /(https?:\/\/[^\s,;()]*[^\s,;().]|[^\s@,;:()<>]+@[^\s@,;()<>]+\.\w+)/

function withLinks(text: string): Html[] {
  return text.split(address).map((part, index) => {
    if (index % 2 === 0) return html`${part}`
    return html`<a href="${part.includes('://') ? part : `mailto:${part}`}">${part}</a>`
  })
}

function describeCheck({ version }: StatementVersion, baseUrl: string): Html {
  return html`<section aria-labelledby="check">
<h2 id="check">${ownSections.check}</h2>
<p>The SHA-256 is that of the member <code>statement</code> of the JSON, as compact JSON in UTF-8, byte for byte as it is sent:</p>
${codeBlock('sh', `curl -sS ${baseUrl}/practice-statement/${version}.json | jq -cj .statement | sha256sum`)}</section>
`
}

function listVersions({ versions }: Parts, root: string): Html {
  return html`<section aria-labelledby="all">
<h2 id="all">${ownSections.all}</h2>
<dl class="facts">
${versions.map(
  ({ version, since, sha256 }) =>
    html`<div><dt><a href="${root}practice-statement/${version}">Version ${version}</a></dt><dd>since ${time(since)}<br><code>${sha256}</code></dd></div>\n`,
)}</dl>
</section>
`
}

const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })

function time(at: Date): Html {
  return html`<time datetime="${at.toISOString()}">${format.format(at)} UTC</time>`
}
