/* Search results while typing, buttons that copy code, and times as the reader writes them. Without scripts, the search is a form. */
const form = document.querySelector('[role=search]')
const field = form.querySelector('input')
const results = form.appendChild(document.createElement('div'))
results.className = 'card'
field.placeholder += '  /'

/* The timer of the latest search, until it is ended by another one or by Escape. */
let search
field.addEventListener('input', () => {
  endSearch()
  search = setTimeout(showResults, 100)
})

function endSearch() {
  clearTimeout(search)
  search = undefined
}

async function showResults() {
  const own = search
  const query = field.value
  const response = await fetch(`${form.action}?${new URLSearchParams({ q: query })}`)
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  if (own !== search) return
  const found = query.trim() === '' ? [] : page.querySelectorAll('main > [role=status], .results')
  for (const link of page.querySelectorAll('.results a'))
    link.href = new URL(link.getAttribute('href'), response.url)
  results.replaceChildren(...found)
}

document.addEventListener('keydown', event => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || event.target === field) return
  event.preventDefault()
  field.select()
})

form.addEventListener('keydown', event => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  const stops = [field, ...results.querySelectorAll('a')]
  if (event.key === 'Escape') {
    endSearch()
    results.replaceChildren()
    field.focus()
  } else if (step) {
    event.preventDefault()
    stops.at((stops.indexOf(document.activeElement) + step) % stops.length).focus()
  }
})

/* Browsers have no clipboard for pages of plain http, except on localhost. */
if (navigator.clipboard) {
  for (const caption of document.querySelectorAll('figcaption'))
    addCopyButton(caption, 'Copy', () =>
      navigator.clipboard.writeText(caption.nextElementSibling.textContent),
    )
  for (const formats of document.querySelectorAll('.formats')) addCopyButton(formats, 'Copy page', copyPage)
}

function addCopyButton(parent, label, copy) {
  const button = parent.appendChild(document.createElement('button'))
  button.textContent = label
  button.ariaLive = 'polite'
  button.addEventListener('click', async () => {
    await copy()
    button.textContent = 'Copied'
    setTimeout(() => {
      button.textContent = label
    }, 2_000)
  })
}

/* A promise of the text, because Safari has no clipboard for what comes after the click. Without permission it is shown. */
async function copyPage() {
  const { href } = document.querySelector('.formats a')
  const text = fetch(href).then(async response => new Blob([await response.text()], { type: 'text/plain' }))
  try {
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': text })])
  } catch (error) {
    location.href = href
    throw error
  }
}

/* The reader's region decides the order of a date and the clock, as in the dashboard. In UTC, so that it is the same for all. */
const { locale } = new Intl.DateTimeFormat().resolvedOptions()
const { region } = new Intl.Locale(locale).maximize()
const format = new Intl.DateTimeFormat(`en-${region}`, {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
})
for (const time of document.querySelectorAll('time'))
  time.textContent = `${format.format(new Date(time.dateTime))} UTC`

/* The section that is being read, in the contents beside it: the last one whose title has passed the top. */
const links = [...document.querySelectorAll('.contents a')]
const titles = links.map(link => document.getElementById(link.hash.slice(1)))
function markSection() {
  const passed = titles.findLastIndex(title => title.getBoundingClientRect().top < innerHeight / 3)
  for (const [place, link] of links.entries()) {
    if (place === Math.max(0, passed)) link.setAttribute('aria-current', 'true')
    else link.removeAttribute('aria-current')
  }
}
if (links.length > 0) {
  markSection()
  addEventListener('scroll', markSection, { passive: true })
}
