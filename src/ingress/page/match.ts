// Finds the page of a path. There are few: fixed paths are looked up, those with parameters tried one after the other.

/** `/invite/:token` takes one part of the path. @returns finds a page and the decoded parameters */
export function matcher<P extends { path: string }>(
  pages: readonly P[],
): (path: string) => { page: P; params: Record<string, string> } | undefined {
  const fixed = new Map(pages.filter(each => !each.path.includes(':')).map(each => [each.path, each]))
  const others = pages
    .filter(each => each.path.includes(':'))
    .map(page => ({ page, pattern: new RegExp(`^${page.path.replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')}$`) }))
  return path => {
    const page = fixed.get(path)
    if (page) return { page, params: {} }
    for (const { page, pattern } of others) {
      const groups = pattern.exec(path)?.groups
      const params = groups && decoded(groups)
      if (params) return { page, params }
    }
    return undefined
  }
}

function decoded(groups: Record<string, string>): Record<string, string> | undefined {
  try {
    return Object.fromEntries(Object.entries(groups).map(([name, text]) => [name, decodeURIComponent(text)]))
  } catch {
    return undefined
  }
}
