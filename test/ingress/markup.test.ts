// HTML put together as text.
import assert from 'node:assert/strict'
import { test } from 'node:test'
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
