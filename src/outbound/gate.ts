// At most so many requests at once to one origin; the others wait their turn. A request's time limit starts when it is let in, because
// a busy neighbour at the same origin is not the receiver's failure.

export interface Visitor {
  /** A place is its own. */
  begin(): void
}

export interface Gate {
  /** Lets it begin at once, or when a place is free. */
  enter(origin: string, visitor: Visitor): void
  /** Gives back its place inside, or in the queue. Once for every `enter`. */
  leave(origin: string, visitor: Visitor): void
}

export function createGate(limit: number): Gate {
  const origins = new Map<string, { inside: number; waiting: Set<Visitor> }>()
  return {
    enter(origin, visitor) {
      const place = origins.get(origin) ?? { inside: 0, waiting: new Set() }
      origins.set(origin, place)
      if (place.inside >= limit) {
        place.waiting.add(visitor)
        return
      }
      place.inside++
      visitor.begin()
    },
    leave(origin, visitor) {
      const place = origins.get(origin)
      if (!place || place.waiting.delete(visitor)) return
      const [next] = place.waiting
      if (!next) {
        if (--place.inside === 0) origins.delete(origin)
        return
      }
      place.waiting.delete(next)
      // Not from here: a thousand that fail at once would call each other a thousand deep.
      queueMicrotask(() => next.begin())
    },
  }
}
