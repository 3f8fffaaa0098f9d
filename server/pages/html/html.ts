/** Safe markup. Only `html` creates it, so every value in a page is escaped. */
export class Html {
  readonly markup: string

  constructor(markup: string) {
    this.markup = markup
  }
}

type Part = string | number | Html | Html[]

/** A tagged template that escapes every value except `Html`. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(strings.map((text, index) => text + markupOf(parts[index] ?? '')).join(''))
}

function markupOf(part: Part): string {
  if (Array.isArray(part)) return part.map(item => item.markup).join('')
  return part instanceof Html ? part.markup : escapeText(String(part))
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, character => entities[character] ?? character)
}
