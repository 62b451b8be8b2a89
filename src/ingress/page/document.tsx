// The one document: head, header, menu and the place for the content, of the documentation and of everything behind sign-in.
import type { ComponentChildren, VNode } from 'preact'
import { render } from 'preact-render-to-string'
import { assetName } from './assets.ts'
import { Held, openHeld } from './rows.ts'

export interface DocumentProps {
  /** With the name of what it is a page of. */
  title: string
  /** The folder of assets, without a trailing slash. */
  assets: string
  /** Beside the script of every page. */
  script?: 'reference.js'
  /** For scripts that send something. */
  csrf?: string | undefined
  header: ComponentChildren
  /** The content of the menu; on a phone a sheet of its own. Without one the page is a narrow column. */
  menu?: { label: string; content: ComponentChildren }
  children: ComponentChildren
}

/** The text of a document. */
export const documentText = (document: VNode): string => `<!doctype html>\n${render(document)}\n`

/** The same as bytes. Of a text Node would first take memory of three times its characters. */
export function documentBytes(document: VNode): Buffer {
  const held = openHeld()
  const text = documentText(<Held.Provider value={held}>{document}</Held.Provider>)
  return held.joined(text)
}

export function Document({ title, assets, script, csrf, header, menu, children }: DocumentProps): VNode {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        {csrf !== undefined && <meta name="csrf-token" content={csrf} />}
        <title>{title}</title>
        <link rel="icon" href={ICON} />
        <link rel="stylesheet" href={`${assets}/${assetName('page.css')}`} />
        <script src={`${assets}/${assetName('page.js')}`} defer />
        {script && <script src={`${assets}/${assetName(script)}`} defer />}
      </head>
      <body>
        <a class="skip" href="#content">
          Skip to the content
        </a>
        <header>
          {header}
          {menu && (
            <button class="menu-button" type="button" popovertarget="menu">
              Menu
            </button>
          )}
        </header>
        <div class={menu ? 'layout' : 'column'}>
          {menu && (
            <nav id="menu" popover="auto" aria-label={menu.label}>
              {menu.content}
            </nav>
          )}
          <main id="content">{children}</main>
        </div>
      </body>
    </html>
  )
}

// Inline, because a page loads nothing but its own stylesheet and scripts.
const ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="4" fill="#0f766e"/><path d="M4 5h8M4 8h8M4 11h5" stroke="#fff" stroke-width="1.6" stroke-linecap="round"/></svg>',
)}`
