// What pages add where scripts run: copying, times in the reader's own zone, and forms that are sent once. Every page works without it.

document.documentElement.classList.add('js')

for (const block of document.querySelectorAll('.code')) addCopyButton(block)
for (const time of document.querySelectorAll('time[datetime]')) showInZone(time)
for (const form of document.querySelectorAll('form[method="post"]')) form.addEventListener('submit', sendOnce)
// A page that comes back by the browser's history has its buttons again. The focus goes to the first mistake once the browser has gone to the place
// that the address names, which takes the focus from wherever it was.
addEventListener('pageshow', () => {
  for (const button of document.querySelectorAll('button[disabled][type="submit"]')) button.disabled = false
  document.querySelector('[aria-invalid="true"]')?.focus()
})
closeMenuOnChoice()

function addCopyButton(block) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = 'Copy'
  button.addEventListener('click', async () => {
    const copied = await copy(block.querySelector('pre'))
    button.textContent = copied ? 'Copied' : 'Press Ctrl+C'
    setTimeout(() => {
      button.textContent = 'Copy'
    }, 1500)
  })
  block.append(button)
}

// The clipboard is closed to pages served over plain http: the text is selected then, so that one key copies it.
async function copy(pre) {
  try {
    await navigator.clipboard.writeText(pre.textContent)
    return true
  } catch {
    getSelection().selectAllChildren(pre)
    return false
  }
}

function showInZone(time) {
  time.title = time.textContent
  time.textContent = new Date(time.dateTime).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })
}

// A second click would only be told that the form was sent already. The button is closed after the browser has read its name and value.
function sendOnce({ target }) {
  setTimeout(() => {
    for (const button of target.querySelectorAll('button[type="submit"]')) button.disabled = true
  })
}

function closeMenuOnChoice() {
  const menu = document.getElementById('menu')
  menu?.addEventListener('click', event => {
    if (event.target.closest('a') && menu.matches(':popover-open')) menu.hidePopover()
  })
}
