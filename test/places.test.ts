// A process's places and how tenants share them.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { createPlaces, shareOf } from '../src/places.ts'
import { Problem } from '../src/problems.ts'

const ALL = 8
const create = () => createPlaces({ all: ALL, code: 'too_many_boats', what: 'boats', instead: 'wait until one has landed' })

const refusedWith =
  (status: number, code?: string) =>
  (error: unknown): boolean =>
    error instanceof Problem && error.status === status && error.members['code'] === code && error.headers['Retry-After'] === '5'

suite('places', () => {
  test('go to one tenant up to a quarter: one more is a 409 that says what to do, and another tenant has its own', () => {
    const places = create()
    const leaves = Array.from({ length: ALL / 4 }, () => places.take('greedy'))
    assert.throws(() => places.take('greedy'), refusedWith(409, 'too_many_boats'))
    assert.throws(() => places.take('greedy'), /^Problem: 2 boats of this workspace are under way; wait until one has landed\.$/)
    assert.equal(places.tryTake('greedy'), undefined)
    places.take('modest')
    leaves[0]?.()
    places.take('greedy')
  })

  test('are bounded for all tenants: one more is a 503, until one is given back; a place given back twice is one place', () => {
    const places = create()
    const [leave] = Array.from({ length: ALL }, (_, i) => places.take(`tenant ${i}`))
    assert.throws(() => places.take('late'), refusedWith(503))
    assert.equal(places.tryTake('late'), undefined)
    leave?.()
    leave?.()
    places.take('late')
    assert.throws(() => places.take('later'), refusedWith(503))
  })

  test('are taken from a slow holder where none is free, and not before', () => {
    const places = create()
    const ended: number[] = []
    const slow = new Set([3])
    const holder = (i: number) => ({ isSlow: () => slow.has(i), end: () => ended.push(i) })
    for (let i = 0; i < ALL - 1; i++) places.take(`tenant ${i}`, holder(i))
    places.take('in time', holder(ALL))
    assert.deepEqual(ended, [])
    places.take('late', holder(9))
    assert.deepEqual(ended, [3])
    assert.throws(() => places.take('later'), refusedWith(503))
  })

  test('are taken from a slow holder of a tenant whose guests hold its share, and from no other', () => {
    const places = createPlaces({ all: ALL, code: 'too_many_boats', what: 'boats', instead: 'wait', guests: true })
    const ended: string[] = []
    const slow = new Set(['elsewhere'])
    const take = (tenant: string, name: string) => places.take(tenant, { isSlow: () => slow.has(name), end: () => ended.push(name) })
    take('other', 'elsewhere')
    for (const name of ['first', 'second']) take('busy', name)
    assert.throws(() => take('busy', 'third'), refusedWith(409, 'too_many_boats'))
    slow.add('second')
    take('busy', 'third')
    assert.deepEqual(ended, ['second'])
  })

  test('give each tenant a share of at least one, however few there are', () => {
    assert.deepEqual([1, 3, 4, 7, 8, 100].map(shareOf), [1, 1, 1, 1, 2, 25])
  })
})
