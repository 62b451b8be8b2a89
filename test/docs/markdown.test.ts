// Markdown as it becomes a page.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderArticle, renderProse } from '../../src/docs/markdown.ts'

const body = (source: string) => renderArticle(source, href => `/to/${href}`).body

test('headings get ids as code hosts make them, each only once', () => {
  const { title, outline } = renderArticle('# The `one` & only\n## Deprecated: offset\n## Codes\n### Codes\n## Codes', href => href)
  assert.equal(title, 'The one & only')
  assert.deepEqual(
    outline.map(({ id }) => id),
    ['deprecated-offset', 'codes', 'codes-2'],
  )
})

test('links go where the caller says, unless they would run code', () => {
  assert.match(body('[a](b.md#c)'), /<a href="\/to\/b\.md#c">a<\/a>/)
  assert.doesNotMatch(renderProse('[a](javascript:alert(1)) [b](vbscript:x) [c](data:text/html,x)'), /<a /)
})

test('HTML in Markdown is shown, not obeyed', () => {
  assert.match(
    body('a <b onclick="x">b</b>\n\n<script>x</script>\n\n`<i>`\n\n```html\n<u>\n```'),
    /&lt;b onclick=&quot;x&quot;&gt;.*&lt;script&gt;.*&lt;i&gt;.*&lt;u&gt;/s,
  )
})
