// Reads a stream of server-sent events (WHATWG HTML §9.2.6) by fetch: EventSource could not send the token but in its address.

export interface StreamEvent {
  event: string
  /** Empty where only an id was told. */
  data: string
  id: string | undefined
}

/** @param onBytes anything came, if only a comment @returns when the stream has ended @throws when it breaks */
export async function readEvents(
  body: ReadableStream<Uint8Array>,
  onBytes: () => void,
  onEvent: (event: StreamEvent) => void,
): Promise<void> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    onBytes()
    const blocks = (rest + value).replaceAll('\r', '').split('\n\n')
    rest = blocks.pop() as string
    for (const block of blocks) {
      const event = parse(block)
      if (event.data || event.id) onEvent(event)
    }
  }
}

function parse(block: string): StreamEvent {
  const found: StreamEvent = { event: 'message', data: '', id: undefined }
  for (const line of block.split('\n')) {
    const [, name, value = ''] = /^(\w+): ?(.*)$/s.exec(line) ?? []
    if (name === 'data') found.data += (found.data && '\n') + value
    if (name === 'event' || name === 'id') found[name] = value
  }
  return found
}
