// At most so many requests at once to one origin; the others wait their turn. A request's time limit starts when it is let in, because
// a busy neighbour at the same origin is not the receiver's failure.

export interface Gate {
  /** Calls `begin` at once, or when a place is free. */
  enter(origin: string, begin: () => void): void
  /** Gives back the place of `begin`, or its place in the queue. Once for every `enter`. */
  leave(origin: string, begin: () => void): void
}

export function createGate(limit: number): Gate {
  const origins = new Map<string, { inside: number; waiting: Set<() => void> }>()
  return {
    enter(origin, begin) {
      const place = origins.get(origin) ?? { inside: 0, waiting: new Set() }
      origins.set(origin, place)
      if (place.inside >= limit) {
        place.waiting.add(begin)
        return
      }
      place.inside++
      begin()
    },
    leave(origin, begin) {
      const place = origins.get(origin)
      if (!place || place.waiting.delete(begin)) return
      const [next] = place.waiting
      if (!next) {
        if (--place.inside === 0) origins.delete(origin)
        return
      }
      place.waiting.delete(next)
      // Not from here: a thousand that fail at once would call each other a thousand deep.
      queueMicrotask(next)
    },
  }
}
