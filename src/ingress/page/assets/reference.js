// What the reference adds where scripts run: filtering it, and sending a request from it.
// Answers are shown as text, never as HTML. The API key lives in sessionStorage: this tab's, gone with it.

for (const form of document.querySelectorAll('.try form')) form.addEventListener('submit', send)
keepKey()
filter()

function keepKey() {
  const input = document.getElementById('api-key')
  if (!input) return
  input.value = sessionStorage.getItem('api-key') ?? ''
  input.addEventListener('input', () => sessionStorage.setItem('api-key', input.value.trim()))
}

function filter() {
  const input = document.getElementById('filter')
  if (!input) return
  const apply = () => {
    const wanted = input.value.toLowerCase().split(/\s+/).filter(Boolean)
    const items = [...document.querySelectorAll('[data-find]')]
    for (const item of items) item.hidden = !wanted.every(word => item.dataset.find.includes(word))
    for (const group of document.querySelectorAll('section.tag, .outline section')) {
      group.hidden = ![...group.querySelectorAll('[data-find]')].some(item => !item.hidden)
    }
    document.getElementById('filter-empty').hidden = items.length === 0 || items.some(item => !item.hidden)
  }
  input.addEventListener('input', apply)
  apply()
}

async function send(event) {
  event.preventDefault()
  const form = event.target
  const answer = form.parentElement.querySelector('.answer')
  const button = form.querySelector('button')
  const key = document.getElementById('api-key')
  if (!key.value.trim() && !('open' in form.dataset)) {
    answer.replaceChildren(element('p', 'Enter an API key at the top of this page first.'))
    key.focus()
    return
  }
  button.disabled = true
  answer.replaceChildren(element('p', 'Sending…'))
  try {
    await exchange(requestOf(form, key.value.trim()), answer)
  } catch (error) {
    answer.replaceChildren(element('p', `The request could not be sent: ${error.message}`))
  } finally {
    button.disabled = false
  }
}

function requestOf(form, key) {
  const fields = [...form.querySelectorAll('[data-in]')].map(({ name, value, dataset }) => ({
    name,
    value,
    place: dataset.in,
    type: dataset.type,
  }))
  const given = place => fields.filter(field => field.place === place && field.value.trim() !== '')
  const path = given('path').reduce(
    (text, { name, value }) => text.replace(`{${name}}`, encodeURIComponent(value.trim())),
    form.dataset.path,
  )
  const query = new URLSearchParams(given('query').map(({ name, value }) => [name, value]))
  const headers = new Headers(key ? { authorization: `Bearer ${key}` } : {})
  for (const { name, value } of given('header')) headers.set(name, value.trim())
  const { value: body, type } = given('body')[0] ?? {}
  if (body !== undefined) headers.set('content-type', type)
  const url = location.origin + path + (query.size > 0 ? `?${query}` : '')
  // Without the session's cookies: the key alone decides what is allowed, as it will in the caller's program.
  return new Request(url, {
    method: form.dataset.method,
    headers,
    credentials: 'omit',
    cache: 'no-store',
    ...(body !== undefined && { body }),
  })
}

/** More of a body is not shown: a download may have a million rows. */
const SHOWN_CHARS = 200_000

// What streams is shown as it comes.
async function exchange(request, answer) {
  const started = performance.now()
  const response = await fetch(request)
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n')
  const line = element('p', '')
  line.append(
    element('span', `${response.status} ${response.statusText}`, `status s${String(response.status)[0]}`),
    ` in ${Math.round(performance.now() - started)} ms · ${new URL(request.url).pathname}${new URL(request.url).search}`,
  )
  const body = element('pre', '')
  answer.replaceChildren(line, element('pre', headers), body)
  for await (const part of textOf(response)) {
    body.append(part)
    if (body.textContent.length < SHOWN_CHARS) continue
    body.append('\n… and more, which is not shown here.')
    return
  }
  body.textContent = pretty(body.textContent) || '(no body)'
}

async function* textOf(response) {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  try {
    for (;;) {
      const { value, done } = (await reader?.read()) ?? { done: true }
      if (done) return
      yield value
    }
  } finally {
    reader?.cancel()
  }
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

function element(tag, text, className = '') {
  const made = document.createElement(tag)
  made.textContent = text
  made.className = className
  return made
}
