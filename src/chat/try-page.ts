// A page to try a web chat on, under the very policy that the guide gives to shops.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { snippetOf } from '../channels/snippet.ts'
import { escapeHtml } from '../ingress/page/escape.ts'

export const TRY_STYLE = readFileSync(join(import.meta.dirname, 'try.css'), 'utf8')

/** The strictest policy that the chat works under; docs/channels/web-chat.md prints it. @param origin of this service, such as https://chat.example */
export const policyFor = (origin: string): string =>
  [
    "default-src 'none'",
    "style-src 'self'",
    `script-src ${origin}`,
    `connect-src ${origin}`,
    `img-src ${origin}`,
    `media-src ${origin}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ')

const WORDS = {
  en: {
    title: 'Try the web chat',
    text: 'This page stands in for a page of your shop. The button in the corner opens the chat; this command shows what is written there, and how to answer:',
    snippet: 'Your pages show the chat with this line:',
    guide: 'The guide',
    other: '<a href="?lang=uk" lang="uk">Українською</a>',
  },
  uk: {
    title: 'Спробуйте вебчат',
    text: 'Ця сторінка — замість сторінки вашого магазину. Кнопка в кутку відкриває чат; ця команда показує, що там пишуть, і як відповісти:',
    snippet: 'На ваших сторінках чат покаже цей рядок:',
    guide: 'Посібник',
    other: '<a href="?lang=en" lang="en">In English</a>',
  },
}

/** @param channel an id of a channel, by its form @param lang of the page; English unless it is `uk` */
export function tryPage(baseUrl: string, docsUrl: string, channel: string, lang: unknown): string {
  const language = lang === 'uk' ? 'uk' : 'en'
  const words = WORDS[language]
  const snippet = snippetOf(baseUrl, channel)
  return `<!doctype html>
<html lang="${language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${words.title}</title>
<link rel="stylesheet" href="${baseUrl}/chat/try.css">
<main>
<h1>${words.title}</h1>
<p>${words.text}</p>
<pre tabindex="0">${inWords('bin/shopdesk conversation follow --tenant ten_…')}</pre>
<p>${words.snippet}</p>
<pre tabindex="0">${inWords(snippet)}</pre>
<p><a href="${docsUrl}/channels/web-chat">${words.guide}</a> · ${words.other}</p>
</main>
${snippet}
</html>
`
}

/** A narrow page breaks a line between its words, and not at their hyphens. */
const inWords = (line: string): string =>
  line
    .split(' ')
    .map(word => `<span>${escapeHtml(word)}</span>`)
    .join(' ')
