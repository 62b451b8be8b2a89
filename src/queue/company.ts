// What may run together in one process: work runs side by side, but work suspected of killing workers runs alone.

export interface Company {
  /** @returns undefined while a suspect runs or waits */
  join(): Stay | undefined
  /** @returns undefined while other work runs; for a moment no more joins, so that the suspect can ask again when the running work has ended */
  joinAlone(): Stay | undefined
  /** Whether a suspect waits for the other work to end its slices. */
  awaited(): boolean
}

export interface Stay {
  leave(): void
  /** The work is no suspect any more: other work may join it. */
  acquit(): void
}

/** How long no work joins after a suspect asked; it asks again each second. */
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
