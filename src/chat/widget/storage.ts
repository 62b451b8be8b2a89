// The browser's storage, where it may be used; else memory, which lasts as long as the page.

export interface Store {
  get<T>(name: string): T | undefined
  set(name: string, value: unknown): void
  remove(name: string): void
  /** The names that begin so. */
  names(prefix: string): string[]
  /** Other tabs see all of it. */
  isShared(): boolean
}

/** @param area of this channel: another chat on the same site has its own @param onChange another tab has changed something */
export function openStore(area: string, onChange: () => void): Store {
  const memory = new Map<string, string>()
  const local = usable()
  addEventListener('storage', ({ key }) => {
    if (key === null || key.startsWith(area)) onChange()
  })
  const keys = (): string[] => [...(local ? Object.keys(local) : []), ...memory.keys()]
  return {
    get(name) {
      const text = memory.get(area + name) ?? local?.getItem(area + name)
      try {
        return text ? JSON.parse(text) : undefined
      } catch {
        return undefined
      }
    },
    set(name, value) {
      const text = JSON.stringify(value)
      try {
        if (!local) throw new Error()
        local.setItem(area + name, text)
        memory.delete(area + name)
      } catch {
        // It is full, or forbidden.
        memory.set(area + name, text)
      }
    },
    remove(name) {
      memory.delete(area + name)
      local?.removeItem(area + name)
    },
    names: prefix => [...new Set(keys())].filter(key => key.startsWith(area + prefix)).map(key => key.slice(area.length)),
    isShared: () => local != null && memory.size === 0,
  }
}

function usable(): Storage | undefined {
  try {
    return localStorage
  } catch {
    return undefined
  }
}
