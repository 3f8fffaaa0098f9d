/** What the server runs with, given on its command line so that a newer program's settings reach old folders. */
export function serverSettings(port: number, durable: boolean): Record<string, string | number> {
  return {
    port,
    listen_addresses: '127.0.0.1',
    // No socket file: its path may be no longer than 107 bytes, and the password is asked on loopback too.
    unix_socket_directories: '',
    max_connections: 200,
    shared_buffers: '128MB',
    // Fewer, longer checkpoints and no planner surprises for short statements; the JIT is not shipped.
    max_wal_size: '1GB',
    random_page_cost: 1.1,
    jit: 'off',
    // Nobody replicates from it.
    wal_level: 'minimal',
    max_wal_senders: 0,
    timezone: 'UTC',
    log_timezone: 'UTC',
    // Readiness is read from the log, so that its language must be known.
    lc_messages: 'C',
    log_checkpoints: 'off',
    // What was committed survives a killed server also without these; only a crash of the machine can tell.
    ...(durable ? {} : { fsync: 'off', full_page_writes: 'off' }),
  }
}
