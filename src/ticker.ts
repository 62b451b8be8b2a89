// One timer for many members: hundreds of slices check now and then whether something is due. A timer for each would be made and cleared
// thousands of times a second.

export interface Ticker<Member> {
  add(member: Member): void
  delete(member: Member): void
}

/**
 * Visits its members while there are any, in the order in which they were added. So each is visited up to `everyMs` late.
 * @param visit gets the time, of performance.now(); it may delete members
 */
export function createTicker<Member>(everyMs: number, visit: (member: Member, now: number) => void): Ticker<Member> {
  const members = new Set<Member>()
  let timer: NodeJS.Timeout | undefined
  function go(): void {
    const now = performance.now()
    for (const member of members) visit(member, now)
  }
  return {
    add(member) {
      members.add(member)
      timer ??= setInterval(go, everyMs)
    },
    delete(member) {
      members.delete(member)
      if (members.size > 0) return
      clearInterval(timer)
      timer = undefined
    },
  }
}
