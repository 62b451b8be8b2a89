// What a browser is to pages, without a screen: cookies, forms with their tokens, redirects that are not followed.

export interface Answered {
  status: number
  headers: Headers
  text: string
  /** Of a redirect. */
  to: string | undefined
}

export interface WebBrowser {
  cookies: Map<string, string>
  /** The attributes of each cookie as it was set last. */
  set: Map<string, string>
  get(path: string): Promise<Answered>
  /** Opens the page, and sends the form of that name from it. */
  send(path: string, fields: Record<string, string>, form?: string): Promise<Answered>
  /** Sends what is given, with whatever token was given. */
  post(path: string, fields: Record<string, string>): Promise<Answered>
}

/** @param userAgent as it calls itself @param more headers, such as those of a proxy before the service */
export function aWebBrowser(
  url: string,
  userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  more: Record<string, string> = {},
): WebBrowser {
  const [cookies, set] = [new Map<string, string>(), new Map<string, string>()]

  async function ask(path: string, init: RequestInit = {}): Promise<Answered> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { accept: 'text/html', 'user-agent': userAgent, ...more, ...(cookie && { cookie }) }
    const response = await fetch(url + path, { redirect: 'manual', ...init, headers })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = '', rest = ''] = /^([^=]+)=([^;]*)(.*)/.exec(line) ?? []
      set.set(name, rest)
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, to: response.headers.get('location') ?? undefined }
  }

  const post = (path: string, fields: Record<string, string>) => ask(path, { method: 'POST', body: new URLSearchParams(fields) })
  return {
    cookies,
    set,
    get: path => ask(path),
    post,
    async send(path, fields, form = '') {
      const page = await ask(path)
      return post(path, { _csrf: tokenOf(page.text, form) ?? '', ...(form !== '' && { _form: form }), ...fields })
    },
  }
}

/** The token of the form of that name on a page, of one that is posted to the page itself. */
export function tokenOf(page: string, form = ''): string | undefined {
  const forms = page.matchAll(
    /<form method="post"([^>]*)><input type="hidden" name="_csrf" value="([^"]+)"\/?>(?:<input type="hidden" name="_form" value="(\w*)"\/?>)?/g,
  )
  return [...forms].find(([, attributes = '', , name = '']) => name === form && !attributes.includes('action'))?.[2]
}
