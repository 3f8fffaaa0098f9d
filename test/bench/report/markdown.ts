/** Formats a Markdown table. The first row has the headings. */
export function markdown([head, ...rows]: string[][]): string {
  const widths = head!.map((_, column) => Math.max(...[head!, ...rows].map(row => row[column]!.length)))
  const line = (row: string[]) => `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`
  return [line(head!), line(widths.map(width => '-'.repeat(width))), ...rows.map(line)].join('\n')
}
