/* Search results while typing, and buttons that copy code. Without scripts, the search is a form. */
const form = document.querySelector('[role=search]')
const field = form.querySelector('input')
const results = form.appendChild(document.createElement('div'))
results.className = 'card'
field.placeholder = 'Search  /'

let timer
field.addEventListener('input', () => {
  clearTimeout(timer)
  timer = setTimeout(showResults, 100)
})

async function showResults() {
  const query = field.value
  const response = await fetch(`${form.action}?${new URLSearchParams({ q: query })}`)
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  if (query !== field.value) return
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
    results.replaceChildren()
    field.focus()
  } else if (step) {
    event.preventDefault()
    stops.at((stops.indexOf(document.activeElement) + step) % stops.length).focus()
  }
})

/* Browsers have no clipboard for pages of plain http, except on localhost. */
for (const caption of navigator.clipboard ? document.querySelectorAll('figcaption') : []) {
  const button = caption.appendChild(document.createElement('button'))
  button.textContent = 'Copy'
  button.ariaLive = 'polite'
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(caption.nextElementSibling.textContent)
    button.textContent = 'Copied'
    setTimeout(() => {
      button.textContent = 'Copy'
    }, 2_000)
  })
}
