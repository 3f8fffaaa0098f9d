/* Verifies a file that the service has signed, and shows what it says. No value of it becomes markup. */
const place = document.querySelector('#signed')
const { issuer } = place.dataset
const files = document.querySelector('#files')
const pasted = document.querySelector('#text')

const titles = { 'age-evidence+jwt': 'Evidence of', 'erasure-receipt+jwt': 'Receipt of an erasure' }

pasted.addEventListener('input', () => show([pasted.value]))
files.addEventListener('change', async () => {
  pasted.value = ''
  await show(await Promise.all([...files.files].map(file => file.text())))
})

/* What was opened last, however long the one before takes. */
let latest
async function show(texts) {
  latest = texts
  const shown = await read(texts.map(text => text.trim()).filter(Boolean))
  if (latest === texts) place.replaceChildren(...shown)
}

async function read(texts) {
  if (texts.length === 0) return []
  try {
    const [signed, ...others] = texts.filter(text => !text.startsWith('{'))
    const kept = texts.filter(text => text.startsWith('{')).flatMap(readKeys)
    if (others.length > 0)
      throw new Error('Open one signed file at a time, and the keys that were kept with it.')
    return present(await verify(signed ?? '', kept))
  } catch (error) {
    document.title = 'Not verified'
    return [note('wrong', 'Not verified. ', error.message)]
  }
}

const malformed = 'This is no signed file of the service: it is no text of three parts, or not whole.'

function readKeys(text) {
  const { keys } = parse(text, 'The file of keys is not whole.')
  if (!Array.isArray(keys)) throw new Error('This is JSON without keys: neither a signed file nor kept keys.')
  return keys.filter(key => key?.crv === 'P-256')
}

function parse(json, message = malformed) {
  try {
    return JSON.parse(json)
  } catch {
    throw new Error(message)
  }
}

async function verify(jws, kept) {
  if (!/^[\w-]+\.[\w-]+\.[\w-]+$/.test(jws)) throw new Error(malformed)
  const [head, payload, signature] = jws.split('.')
  const { alg, typ, kid, crit } = parse(decodeText(head))
  if (alg !== 'ES256' || !titles[typ] || crit !== undefined)
    throw new Error(`It is neither evidence nor a receipt, signed with ES256, but ${typ}, with ${alg}.`)
  if (!crypto.subtle) throw new Error('Browsers verify only on pages with https, or of this machine.')
  const key = [...(await publishedKeys()), ...kept].find(key => key.kid === kid)
  if (!key)
    throw new Error(
      `The service does not publish the key ${kid}. Open the keys that were kept with the file, too.`,
    )
  const { kty, crv, x, y, signsFor } = key
  const curve = { name: 'ECDSA', namedCurve: 'P-256' }
  const publicKey = await crypto.subtle.importKey('jwk', { kty, crv, x, y }, curve, false, ['verify'])
  const bytes = new TextEncoder().encode(`${head}.${payload}`)
  const algorithm = { name: 'ECDSA', hash: 'SHA-256' }
  if (!(await crypto.subtle.verify(algorithm, publicKey, decode(signature), bytes)))
    throw new Error('The signature is wrong: the file was changed, or the service has not signed it.')
  const claims = parse(decodeText(payload))
  if (signsFor && claims.iss !== signsFor)
    throw new Error(`It is of ${claims.iss}, and the key of ${signsFor}.`)
  return { typ, kid, isPublished: signsFor !== undefined, claims }
}

/* The keys that the service publishes now, of live tenants and of test tenants, with the issuer that they sign for. */
async function publishedKeys() {
  const sets = ['', '/test'].map(async path => {
    const response = await fetch(`.${path}/.well-known/jwks.json`)
    const { keys } = response.ok ? await response.json() : { keys: [] }
    return keys.map(key => ({ ...key, signsFor: issuer + path }))
  })
  return (await Promise.all(sets)).flat()
}

function decode(part) {
  return Uint8Array.from(atob(part.replaceAll('-', '+').replaceAll('_', '/')), letter => letter.charCodeAt(0))
}

function decodeText(part) {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(decode(part))
  } catch {
    throw new Error(malformed)
  }
}

function present({ typ, kid, isPublished, claims }) {
  const { iss, aud, iat, ...rest } = claims
  const isEvidence = typ === 'age-evidence+jwt'
  const title = isEvidence ? `${titles[typ]} ${monthName(claims.month)}` : titles[typ]
  document.title = `${title} · ${iss}`
  const verdict = isPublished
    ? note('right', 'The signature is right. ', `${iss} signed this, with a key that it publishes.`)
    : note(
        'warning',
        'The signature fits the keys that you opened. ',
        `The service doesn't publish this key now. That it is a key of ${iss} is for you to know.`,
      )
  const signer = { 'Signed by': iss, 'Signed at': time(iat * 1000), Key: kid, Tenant: aud }
  return [
    el('h1', title),
    verdict,
    ...(isEvidence ? presentEvidence(claims, signer) : [facts({ ...signer, ...flatten(rest) })]),
  ]
}

function presentEvidence({ counts, tenant, operator, test, complete, ...claims }, signer) {
  const statements = claims.statements.map(({ version, since, sha256 }) => [
    `Version ${version}`,
    `since ${time(since)}, SHA-256 ${sha256}`,
  ])
  const leaked = claims.compromisedKeys?.map(({ kid, reportedAt }) => [kid, time(reportedAt)])
  return [
    test ? note('warning', 'A test tenant. ', 'Everything is simulated.') : '',
    complete ? '' : note('warning', 'The month was not over. ', 'Ask for its evidence again.'),
    facts({ ...signer, Tenant: `${tenant.name} (${tenant.id})`, Operator: operator ?? 'Not stated' }),
    el('p', 'Of several files of a month, the one that was signed last counts.'),
    ...tables.map(([title, ...parts]) => sums(title, counts, parts)),
    el('h2', 'What users did, of the completed ones'),
    facts({ Opened: format(counts.opened), Submitted: format(counts.userSubmitted) }),
    el('h2', 'Practice statements in force'),
    facts(Object.fromEntries(statements)),
    el('h2', 'What was changed, how often'),
    facts(claims.changes),
    el('h2', 'Signing keys that were reported as leaked'),
    facts(leaked && Object.fromEntries(leaked)),
  ]
}

/* The parts of each table have the same sum. */
const tables = [
  [
    'Verifications',
    { openBefore: 'Open when the month began', started: 'Started' },
    {
      approved: 'Approved',
      denied: 'Denied',
      rejected: 'Rejected: not finished',
      submitted: 'Submitted, without a decision',
      resubmission: 'Asked to submit again',
      erased: 'Erased while open',
      openAtEnd: 'Open at the end',
    },
  ],
  [
    'Approved, by age',
    { approved: 'Approved' },
    { over18: '18 or over', under18: 'Under 18', ageUnknown: 'Not confirmed' },
  ],
  [
    '18 or over, by what proved it',
    { over18: '18 or over' },
    {
      adultsByDate: 'A date of birth',
      adultsByYear: 'A year of birth',
      adultsByEstimate: 'An estimate from the picture',
    },
  ],
  [
    'Of the approved: revoked afterwards, by',
    {
      revokedByTenant: 'The tenant',
      revokedByOperator: 'The operator of the service',
      revokedByProvider: 'A newer result of the provider',
      revokedBySigningKey: 'The report that a signing key leaked',
      revokedByErasure: 'An erasure',
    },
  ],
]

function sums(title, counts, parts) {
  const totals = parts.map(part => Object.keys(part).reduce((sum, name) => sum + counts[name], 0))
  const row = (name, count, className = '') => {
    const heading = Object.assign(el('th', name), { scope: 'row' })
    return Object.assign(el('tr', heading, el('td', format(count))), { className })
  }
  const rows = parts.flatMap((part, index) => [
    ...Object.entries(part).map(([name, label]) => row(label, counts[name])),
    ...(Object.keys(part).length > 1 ? [row('Together', totals[index], 'total')] : []),
  ])
  const table = el('table', el('caption', title), el('tbody', ...rows))
  const [one, other = one] = totals
  const verdict =
    one === other
      ? el('p', parts.length > 1 ? `Adds up: ${format(one)} = ${format(other)}` : '')
      : note('wrong', 'Does not add up: ', `${format(one)} and ${format(other)}`)
  return el('section', Object.assign(table, { className: 'sums' }), verdict)
}

/* The members of objects within objects, by all of their names. */
function flatten(claims, path = '') {
  const members = Object.entries(claims).map(([name, value]) =>
    value && typeof value === 'object'
      ? flatten(value, `${path}${name} `)
      : { [words(path + name)]: readable(value) },
  )
  return Object.assign({}, ...members)
}

function words(name) {
  return name[0].toUpperCase() + name.slice(1).replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`)
}

function readable(value) {
  if (/^\d{4}-\d\d-\d\dT/.test(value)) return time(value)
  return value === null ? '–' : String(value).replaceAll('_', ' ')
}

function facts(values) {
  if (!values) return el('p', 'Not known any more: the log of that time has ended.')
  const items = Object.entries(values).map(([name, value]) => el('div', el('dt', name), el('dd', value)))
  return items.length > 0 ? Object.assign(el('dl', ...items), { className: 'facts' }) : el('p', 'None')
}

function note(kind, verdict, text) {
  return Object.assign(el('div', el('p', el('b', verdict), text)), { className: `note ${kind}` })
}

function el(name, ...content) {
  const element = document.createElement(name)
  element.append(...content)
  return element
}

function format(number) {
  return new Intl.NumberFormat('en').format(number)
}

function time(at) {
  const style = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }
  return `${new Intl.DateTimeFormat('en-GB', style).format(new Date(at))} UTC`
}

function monthName(month) {
  const style = { month: 'long', year: 'numeric', timeZone: 'UTC' }
  return new Intl.DateTimeFormat('en-GB', style).format(new Date(month))
}
