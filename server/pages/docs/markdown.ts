import { type DocumentFile, type DocumentGroup, linkUrl, pageUrl, readIntroduction } from './documents.ts'

/** The absolute URL of a page as Markdown. */
export function markdownUrl(name: string, baseUrl: string): string {
  return `${baseUrl}/${pageUrl(name, '')}.md`
}

/** A document for programs to read: its links are absolute and lead to Markdown, and its code is as it is. */
export function toMarkdown(
  text: string,
  from: DocumentFile,
  documents: DocumentFile[],
  baseUrl: string,
): string {
  return text.replace(codeOrLink, (found, label = found, href?: string, address = href) => {
    if (address === undefined || /^(https?:|#)/.test(address)) return found
    const [, anchor] = address.split('#', 2)
    const url = linkUrl(address, { ...from, name: '' }, documents)
    if (url === undefined) return label
    const document = documents.find(({ name }) => pageUrl(name, '') === url.split('#', 1)[0])
    if (!document) return `[${label}](${baseUrl}/${url})`
    return `[${label}](${markdownUrl(document.name, baseUrl)}${anchor === undefined ? '' : `#${anchor}`})`
  })
}

/** Code first, so that nothing in it is taken for a link, except an address. A label can be code, and break over lines. */
const codeOrLink = /^```.*?^```$|\[((?:`[^`]*`|[^\]`])*)\]\(([^)\s]+)\)|`(\/[^`\s]*)`|`[^`]*`/gms

/** What there is for programs to read, in the form of https://llmstxt.org. */
export function llmsText(groups: DocumentGroup[], baseUrl: string): string {
  const [summary, important] = readIntroduction()
  const [first, ...others] = groups.map(group => listPages(group, baseUrl))
  const openApi = `- [OpenAPI 3.1 document](${baseUrl}/openapi.json): What the API reference says, for tools`
  const practice = `- [Practice statement](${baseUrl}/practice-statement.json): What the service checks and keeps, as it runs, and since when`
  const sections = [`${first}\n${openApi}\n${practice}`, ...others]
  return `# Age Verification Service

> ${summary}

${important}

The tenant API is at \`${baseUrl}\`.

${sections.join('\n\n')}
`
}

function listPages({ title, documents }: DocumentGroup, baseUrl: string): string {
  const lines = documents.map(
    ({ name, title: page, answers }) => `- [${page}](${markdownUrl(name, baseUrl)}): ${answers}`,
  )
  return `## ${title}\n\n${lines.join('\n')}`
}
