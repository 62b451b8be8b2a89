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

  suite('of guests', () => {
    const fill = () => {
      const places = createPlaces({ all: 4 * ALL, code: 'too_many_boats', what: 'boats', instead: 'wait' })
      const ended: string[] = []
      const slow = new Set<string>()
      const take = (name: string, guest?: string, tenant = 'busy') =>
        places.take(tenant, {
          isSlow: () => slow.has(name),
          end: why => ended.push(`${name} ${why}`),
          ...(guest !== undefined && { guest }),
        })
      return { take, ended, slow }
    }

    test('are taken from a slow one where their tenant’s share is taken, and from no other', () => {
      const { take, ended, slow } = fill()
      slow.add('elsewhere')
      take('elsewhere', 'a', 'other')
      for (let n = 1; n < ALL; n++) take(`n${n}`, `guest ${n}`)
      take('its own')
      slow.add('its own')
      assert.throws(() => take('late', 'late'), refusedWith(409, 'too_many_boats'))
      slow.add('n2')
      take('late', 'late')
      assert.deepEqual(ended, ['n2 slow'])
    })

    test('are used by one who has them to itself, and taken one by one from who has most, the latest first, until none has fewer', () => {
      const { take, ended } = fill()
      for (let n = 1; n <= ALL; n++) take(`n${n}`, 'greedy')
      assert.throws(() => take('one more', 'greedy'), refusedWith(409, 'too_many_boats'))
      for (let n = 1; n <= ALL / 2; n++) take(`m${n}`, 'modest')
      assert.deepEqual(ended, ['n8 most', 'n7 most', 'n6 most', 'n5 most'])
      assert.throws(() => take('m5', 'modest'), refusedWith(409, 'too_many_boats'))
      take('third', 'third')
      assert.deepEqual(ended.slice(4), ['n4 most'])
    })

    test('go to the tenant’s own people, whose places no guest gets', () => {
      const { take, ended } = fill()
      for (let n = 1; n < ALL; n++) take(`own ${n}`)
      take('last', 'guest')
      take('own')
      assert.deepEqual(ended, ['last most'])
      assert.throws(() => take('again', 'guest'), refusedWith(409, 'too_many_boats'))
      assert.throws(() => take('own too'), refusedWith(409, 'too_many_boats'))
    })

    test('of all tenants give way where no place of the process is free', () => {
      const { take, ended } = fill()
      for (const tenant of ['a', 'b', 'c', 'd']) for (let n = 1; n <= ALL; n++) take(`${tenant}${n}`, `${tenant} ${n % 4}`, tenant)
      take('fifth', 'e', 'e')
      take('own', undefined, 'f')
      assert.equal(ended.length, 2)
    })
  })

  test('give each tenant a share of at least one, however few there are', () => {
    assert.deepEqual([1, 3, 4, 7, 8, 100].map(shareOf), [1, 1, 1, 1, 2, 25])
  })
})
