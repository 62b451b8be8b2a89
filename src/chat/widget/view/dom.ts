// Elements are made by these two: texts become text nodes, never markup.

type Props = Record<string, string | number | boolean | ((event: never) => void) | undefined>
export type Child = Node | string | undefined | false

/** @param props attributes; functions are listeners of the event of that name; false and undefined are left out */
export function el<K extends keyof HTMLElementTagNameMap>(tag: K, props: Props = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  return fill(document.createElement(tag), props, children)
}

function fill<E extends Element>(element: E, props: Props, children: Child[]): E {
  for (const [name, value] of Object.entries(props)) set(element, name, value)
  element.append(...children.filter(child => child !== undefined && child !== false))
  return element
}

/** Sets an attribute, where it is another; undefined and false remove it. */
export function set(element: Element, name: string, value: Props[string]): void {
  if (typeof value === 'function') element.addEventListener(name, value as unknown as EventListener)
  else if (value === undefined || value === false) element.removeAttribute(name)
  else if (element.getAttribute(name) !== `${value === true ? '' : value}`) element.setAttribute(name, value === true ? '' : `${value}`)
}

/** A drawing of 24 by 24, of one path. */
export function icon(path: string): SVGElement {
  const SVG = 'http://www.w3.org/2000/svg'
  const line = fill(document.createElementNS(SVG, 'path'), { d: path }, [])
  return fill(document.createElementNS(SVG, 'svg'), { viewBox: '0 0 24 24', 'aria-hidden': 'true' }, [line])
}

/** Sets the text, where it is another: a live region speaks what is set. */
export function say(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text
}
