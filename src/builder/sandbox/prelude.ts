// What stands in the sandbox before a script: its console, and the functions that copy results and logs out as text. They hold on to the built-ins as they
// were, so that a script which replaces those changes nothing here. A list that is read by its iterator, or an entry that is set, could run a setter of the
// script's; so arguments are read by their number, and texts are joined one by one.
import { SANDBOX_LOG_BYTES, SANDBOX_RESULT_BYTES } from '../../limits/builder.ts'

/** The name of this text in a stack. */
export const PRELUDE_NAME = 'sandbox'

export const TOO_LARGE = `The result has more than ${SANDBOX_RESULT_BYTES / 1024} KB of JSON; return less.`

/**
 * A function of `send`, which is given a level and a text, as JSON: a text as it is ends at its first NUL where it is handed out.
 */
export const PRELUDE = `'use strict';
(function (send) {
  const { parse, stringify } = JSON
  const { apply, defineProperty } = Reflect
  const { slice } = String.prototype
  const text = String
  const TypeFault = TypeError
  const RangeFault = RangeError

  const cut = (value, length) => (value.length > length ? apply(slice, value, [0, length]) : value)

  function shown(value) {
    if (typeof value === 'string') return value
    if (typeof value === 'bigint') return text(value) + 'n'
    if (typeof value === 'function') return '[function]'
    if (typeof value !== 'object' || value === null) return text(value)
    try {
      const { name, message, stack } = value
      if (typeof stack === 'string' && typeof message === 'string') return (typeof name === 'string' ? name : 'Error') + ': ' + message
      const json = stringify(value)
      return typeof json === 'string' ? json : '[object]'
    } catch {
      return '[object]'
    }
  }

  function logger(level) {
    return {
      [level](...values) {
        let line = ''
        for (let at = 0; at < values.length && line.length <= ${SANDBOX_LOG_BYTES}; at++) line += (at > 0 ? ' ' : '') + shown(values[at])
        send(level, stringify(cut(line, ${SANDBOX_LOG_BYTES} + 1)))
      },
    }[level]
  }

  const console = {
    log: logger('log'),
    debug: logger('debug'),
    info: logger('info'),
    warn: logger('warn'),
    error: logger('error'),
  }
  const add = (name, value) => defineProperty(globalThis, name, { __proto__: null, value, writable: true, enumerable: false, configurable: true })
  add('console', console)
  add('input', undefined)

  const begin = json => add('input', parse(json))

  // The script as a whole settles first, then the value of its last expression.
  const settle = async ended => {
    const { value } = await ended
    const settled = await value
    let json
    try {
      json = stringify(settled)
    } catch (error) {
      if (typeof settled === 'bigint') throw new TypeFault('The result is a BigInt, which JSON has not; make a text or a number of it.')
      throw error
    }
    if (typeof json !== 'string') return 'null'
    if (json.length > ${SANDBOX_RESULT_BYTES}) throw new RangeFault('${TOO_LARGE}')
    return json
  }

  // A text of JSON with name, message and stack, each a text whatever was thrown.
  const described = error => {
    let name = 'Error'
    let message = ''
    let stack = ''
    if (typeof error === 'object' && error !== null) {
      try {
        const own = error.name
        if (typeof own === 'string') name = own
      } catch {}
      try {
        message = shown(error.message)
      } catch {}
      try {
        const own = error.stack
        if (typeof own === 'string') stack = own
      } catch {}
      if (message === 'undefined') message = shown(error)
    } else message = 'thrown: ' + shown(error)
    return '[' + stringify(cut(name, 100)) + ',' + stringify(cut(message, 1000)) + ',' + stringify(cut(stack, 4000)) + ']'
  }

  return { begin, settle, described }
})`
