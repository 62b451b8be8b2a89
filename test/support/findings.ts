// The findings of an experiment: each promise and whether it holds.
import assert from 'node:assert/strict'

export function assertAllHold({ facts, findings }: { facts: object; findings: { holds: boolean }[] }): void {
  assert.deepEqual(
    findings.filter(({ holds }) => !holds),
    [],
    JSON.stringify(facts),
  )
}
