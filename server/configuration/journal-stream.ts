/** Device and inode of the journal's socket, which a stream can have been redirected from: systemd.exec(5). */
export function journalStream(): string | undefined {
  return process.env.JOURNAL_STREAM
}
