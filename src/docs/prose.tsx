// Descriptions of the OpenAPI document, which are Markdown, as parts of a page.
import type { VNode } from 'preact'
import { Markup } from './frame.tsx'
import { renderLine, renderProse } from './markdown.ts'

export const prose = (source: string | undefined): VNode | undefined => (source ? <Markup html={renderProse(source)} /> : undefined)

/** One line, such as the description of a response. */
export const line = (source: string | undefined): VNode | undefined => (source ? <Markup as="span" html={renderLine(source)} /> : undefined)
