import { findProgram } from '../../harness/system-program.ts'

export const caddy = { isMissing: !findProgram('caddy'), reason: 'no caddy (apt-get install caddy)' }
export const openssl = { isMissing: !findProgram('openssl'), reason: 'no openssl on the PATH' }
export const psql = { isMissing: !findProgram('psql'), reason: 'no psql (apt-get install postgresql-client)' }
