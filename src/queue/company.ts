// What runs beside what in one process: work runs side by side, but what is suspected of having ended workers runs without any other.

export interface Company {
  /** @returns undefined: not now, for a suspect runs or waits to */
  join(): Stay | undefined
  /** @returns undefined: not now; for a moment no other work joins, so that the suspect may ask again when those under way have ended */
  joinAlone(): Stay | undefined
  /** A suspect waits for the others to end their turns. */
  awaited(): boolean
}

export interface Stay {
  leave(): void
  /** The suspect is none: others may join it. */
  acquit(): void
}

/** A suspect asks again each second. */
const HELD_FREE_MS = 3_000

export function createCompany(): Company {
  let together = 0
  let alone = false
  let heldFreeUntil = 0
  const awaited = (): boolean => performance.now() < heldFreeUntil

  function stay(isAlone: boolean): Stay {
    let [running, single] = [true, isAlone]
    if (single) alone = true
    else together++
    function acquit(): void {
      if (!running || !single) return
      single = false
      alone = false
      together++
    }
    return {
      acquit,
      leave() {
        acquit()
        if (running) together--
        running = false
      },
    }
  }
  return {
    awaited,
    join: () => (alone || awaited() ? undefined : stay(false)),
    joinAlone() {
      const free = !alone && together === 0
      heldFreeUntil = free ? 0 : performance.now() + HELD_FREE_MS
      return free ? stay(true) : undefined
    },
  }
}
