// What people see where something went wrong: what happened in plain words, what to do, and what to quote.
import { PROBLEMS, type Problem } from '../../problems.ts'
import { Document, documentText } from './document.tsx'
import { PageRefusal, type Way } from './refusal.ts'

const TITLES: Record<number, string> = {
  403: 'This is not open to you',
  404: 'There is nothing here',
  405: 'This page does not work that way',
  413: 'That is too much at once',
  429: 'Too many requests',
  500: 'Something went wrong on our side',
  503: 'The service is not there just now',
}

const WAYS: Record<number, string> = {
  404: 'The address may be mistyped, or the page may have moved.',
  429: 'Wait a moment, and try again.',
  500: 'It was logged. Try again; if it happens again, quote the trace id to those who run this service.',
  503: 'Wait a moment, and reload this page.',
}

/** Reloaded, the answer to a form sends the form once more; which is told where it was done after all. */
const RELOADED: Record<number, string> = {
  429: 'Wait a moment, and reload this page: the form is sent again with what you typed.',
  500: 'It was logged. Reload this page, and the form is sent again with what you typed, unless it was done; if it happens again, quote the trace id to those who run this service.',
  503: 'Wait a moment, and reload this page: the form is sent again with what you typed, unless it was done.',
}

/** What the same request may be spared a moment later. */
const PASSING = new Set([429, 500, 503])

export interface Failed {
  traceId: string
  /** A form was sent. */
  isForm: boolean
  /** Where the page can be opened anew. */
  again: Way | undefined
}

/** @returns the text of the page */
export function errorPage(error: Problem | PageRefusal, { traceId, isForm, again }: Failed): string {
  const { status } = error
  const title = error instanceof PageRefusal ? error.title : (TITLES[status] ?? PROBLEMS[error.type].title)
  const way: Way = (error instanceof PageRefusal ? error.way : PASSING.has(status) && again) || {
    href: '/dashboard',
    label: 'To the dashboard',
  }
  return documentText(
    <Document title={`${title} · Shopdesk`} assets="/assets" header={<Brand />}>
      <h1>{title}</h1>
      {(error instanceof PageRefusal || !(status in WAYS)) && <p>{error.message}</p>}
      {!(error instanceof PageRefusal) && status in WAYS && <p>{(isForm && RELOADED[status]) || WAYS[status]}</p>}
      <p>
        <a href={way.href} {...(way.inNewTab && { target: '_blank' })}>
          {way.label}
        </a>
      </p>
      {status >= 500 && (
        <p class="hint">
          Trace id: <code>{traceId}</code>
        </p>
      )}
    </Document>,
  )
}

export const Brand = () => (
  <a class="brand" href="/dashboard">
    Shopdesk
  </a>
)
