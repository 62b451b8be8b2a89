// A page whose title is also its heading, such as what a form answers with, or the end of a link.
import type { ComponentChildren } from 'preact'
import type { Shown } from './page.ts'

export const titled = (title: string, content: ComponentChildren, rest: Pick<Shown, 'status' | 'headers'> = {}): Shown => ({
  ...rest,
  title,
  body: (
    <>
      <h1>{title}</h1>
      {content}
    </>
  ),
})
