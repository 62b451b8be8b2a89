// Runs the examples of a guide as a reader would: its `sh` blocks one after the other, with the ids that the answers gave.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { Reply, TestApp } from '../support/app.ts'

export interface Example {
  /** What the block writes beside requests. */
  code: string
  /** The `json` block that follows, if one does: what the answer looks like. */
  shown: string | undefined
}

export function examplesOf(guide: string): Example[] {
  const text = readFileSync(new URL(`../../docs/${guide}.md`, import.meta.url), 'utf8')
  const blocks = [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language, code]) => ({ language, code: code as string }))
  return blocks.flatMap(({ language, code }, index) => {
    const next = blocks[index + 1]
    return language === 'sh' ? [{ code, shown: next?.language === 'json' ? next.code : undefined }] : []
  })
}

/** The fenced blocks of a language, also those of a list's steps. */
export const blocksOf = (guide: string, language: string): string[] =>
  [...readFileSync(new URL(`../../docs/${guide}.md`, import.meta.url), 'utf8').matchAll(fenced(language))].map(([, indent, code]) =>
    (code as string).replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  )

const fenced = (language: string) => new RegExp(`^( *)\`\`\`${language}\\n([\\s\\S]*?)^ *\`\`\`$`, 'gm')

/** The commands of its `console` blocks, as a shell reads them. */
export const commandsOf = (guide: string): string[] =>
  blocksOf(guide, 'console').flatMap(block =>
    block
      .replaceAll(/\\\n\s*/g, '')
      .trimEnd()
      .split('\n'),
  )

/** A reader with a key. */
export interface Reader {
  run(example: Example): Promise<Reply>
}

export function reader(app: TestApp, key: string): Reader {
  const files = new Map<string, string>()
  const ids = new Map<string, string>()
  return {
    async run({ code }) {
      const withoutFiles = code.replaceAll(/^cat > (\S+) <<'END'\n([\s\S]*?)^END\n/gm, (_all, name: string, content: string) => {
        files.set(name, content)
        return ''
      })
      const words = wordsOf(withoutFiles.replaceAll('{base_url}', '').replaceAll('$API_KEY', key))
      const reply = await send(app, words, files, id => ids.get(id) ?? assert.fail(`no answer gave an id for ${id}_…`))
      const named = [reply.body?.id, reply.headers.get('location')?.split('/').at(-1)].filter(each => typeof each === 'string')
      for (const id of named) ids.set(id.split('_')[0] as string, id)
      return reply
    },
  }
}

/** The words of a command as a shell reads them. */
export function wordsOf(code: string): string[] {
  const words: string[] = []
  for (const [word] of code.replaceAll('\\\n', ' ').matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g))
    words.push(word.replaceAll(/'([^']*)'|"([^"]*)"/g, (_all, single, double) => single ?? double))
  return words
}

async function send(
  app: TestApp,
  [command, ...words]: string[],
  files: Map<string, string>,
  idOf: (prefix: string) => string,
): Promise<Reply> {
  assert.equal(command, 'curl', 'an example is a request')
  let method = 'GET'
  let path: string | undefined
  let raw: string | undefined
  const headers: Record<string, string> = {}
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    const value = (): string => words.shift() ?? assert.fail(`${word} needs a value`)
    if (word === '-X') method = value()
    else if (word === '-d') raw = value()
    else if (word === '-T') raw = files.get(value())
    else if (word === '-H') {
      const [name, ...rest] = value().split(': ')
      headers[name as string] = rest.join(': ')
    } else if (word !== '-i') path = word.replaceAll(/\b([a-z]{3,4})_…/g, (_all, prefix: string) => idOf(prefix))
  }
  assert.ok(path?.startsWith('/'), `no address in ${JSON.stringify(words)}`)
  return app.request(method, path as string, { headers, ...(raw !== undefined && { raw }) })
}

/** Asserts that an answer has what a guide shows, ids and traces aside. */
export function assertShown(reply: Reply, shown: string): void {
  const told = (value: unknown): unknown =>
    JSON.parse(
      JSON.stringify(value)
        .replaceAll(/"trace_id":"\w+"/g, '"trace_id":""')
        .replaceAll(/\b([a-z]{3,4})_[0-7][0-9a-z]{25}\b/g, '$1_'),
    )
  const expected = told(JSON.parse(shown.replaceAll('{docs_url}', 'https://shop.example/docs'))) as Record<string, unknown>
  const body = told(reply.body) as Record<string, unknown>
  assert.deepEqual(Object.fromEntries(Object.keys(expected).map(name => [name, body[name]])), expected)
}
