// A refusal in words for people, where no problem type has them.

export interface Way {
  href: string
  label: string
  inNewTab?: true
}

/** Shown as a page of its own. */
export class PageRefusal extends Error {
  override name = 'PageRefusal'
  readonly status: number
  readonly title: string
  /** Where to go on; the dashboard unless said otherwise. */
  readonly way: Way | undefined
  readonly headers: Record<string, string>

  constructor(status: number, title: string, text: string, way?: Way, headers: Record<string, string> = {}) {
    super(text)
    this.status = status
    this.title = title
    this.way = way
    this.headers = headers
  }
}
