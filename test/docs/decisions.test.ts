// References of the repository to its own files: decisions that comments and pages refer to, and links between pages that are not served.
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'

const read = (file: string): string => readFileSync(file, 'utf8')

test('every decision that is referred to is there', () => {
  const files = globSync(['{src,sql,bin,tasks,test,bench,docs,patches}/**/*.{ts,mjs,sql,md,patch}', '*.md'])
  const named = files.flatMap(file => [...read(file).matchAll(/\b20\d\d-\d\d-\d\d-[a-z-]+\.md\b/g)].map(([name]) => name))
  assert.ok(named.length > 10)
  assert.deepEqual(
    [...new Set(named)].filter(name => !existsSync(`docs/decisions/${name}`)),
    [],
  )
})

test('a decision has the day of its file in its title', () => {
  for (const file of globSync('docs/decisions/*.md')) {
    const day = /\/(\d{4}-\d\d-\d\d)-/.exec(file)?.[1]
    assert.match(read(file), new RegExp(`^# .+ \\(${day}\\)\n`), file)
  }
})

test('links of pages that are not served lead to files', () => {
  for (const file of ['README.md', 'bench/README.md', ...globSync('docs/decisions/*.md')])
    for (const [, path = ''] of read(file).matchAll(/\]\((?![a-z]+:|#)([^)#]+)/g))
      assert.ok(existsSync(join(dirname(file), path)), `${file} links to ${path}`)
})

test('every file that a page names is there', () => {
  const pages = globSync(['*.md', 'bench/*.md', 'docs/**/*.md'])
  const named = pages.flatMap(page =>
    [...read(page).matchAll(/`((?:bin|src|tasks|test|bench|docs)\/[\w./-]+\.\w+)`/g)].map(([, file = '']) => file),
  )
  assert.ok(named.length > 50)
  assert.deepEqual(
    [...new Set(named)].filter(file => !existsSync(file)),
    [],
  )
})
