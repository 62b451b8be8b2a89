// HTML put together as text, and as bytes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { h } from 'preact'
import { markup, time } from '../../src/ingress/page/markup.ts'

const HOSTILE = `<b>"'&`
const ESCAPED = '&lt;b&gt;&quot;&#39;&amp;'

test('texts that are filled into markup are escaped, in attributes too, and markup is not escaped twice', () => {
  const inner = markup`<code>${HOSTILE}</code>`
  assert.equal(inner.html, `<code>${ESCAPED}</code>`)
  assert.equal(markup`<a title="${HOSTILE}">${inner}</a>`.html, `<a title="${ESCAPED}"><code>${ESCAPED}</code></a>`)
})

test('a moment is told in UTC, and in ISO 8601 for scripts; where there is none, by a word', () => {
  const at = new Date('2026-11-23T21:05:06.789Z')
  assert.deepEqual(time(at), { html: '<time datetime="2026-11-23T21:05:06.789Z">2026-11-23 21:05 UTC</time>' })
  assert.equal(time(null, 'never'), 'never')
})

test('rows of tables go out as bytes in their places, whatever stands in them, and say what they say as a text', async () => {
  await import('../../src/ingress/page/tsx.ts')
  const [{ Table }, { documentBytes, documentText }] = await Promise.all([
    import('../../src/ingress/page/table.tsx'),
    import('../../src/ingress/page/document.tsx'),
  ])
  const caption = 'Names'
  const names = ['plain', 'Жовтий 😀 …', HOSTILE, '<!--rows-->', 'Ж'.repeat(100_000), 'an element', 'plain again', '\ud800', 'an element']
  const of = (row: string) => (row === 'an element' ? h('b', null, row) : markup`<i>${row}</i>`)
  const columns = [
    { title: 'Name', of: (row: string) => row },
    { title: 'Again', of },
  ]
  const tableOf = (rows: string[]) => h(Table<string>, { caption, columns, rows, empty: 'none' })
  const page = () =>
    h('main', null, tableOf(names), h('p', null, '<!--rows-->'), tableOf([]), tableOf(names.slice(0, 2)), tableOf(['an element']))
  const text = documentText(page())
  assert.ok(text.includes(ESCAPED) && text.includes('Ж'.repeat(100_000)) && text.includes('<p>&lt;!--rows-->'))
  assert.ok(documentBytes(page()).equals(Buffer.from(text)))
})
