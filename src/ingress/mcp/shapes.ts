// Shapes of arguments and results that tools share. Arguments are closed; results are open, so that a later version may add to them.
import { type TSchema, Type } from 'typebox'
import { idPattern, type Prefix } from '../../ids.ts'
import { filled, nullable } from '../../schemas.ts'

export const open = <P extends Record<string, TSchema>>(properties: P) => Type.Object(properties, { additionalProperties: true })
export const textOrNull = nullable(Type.String())
export const countOrNull = nullable(Type.Integer())

/** An argument that is an id. @param what ends in an example */
export const idOf = (prefix: Prefix, what: string) =>
  Type.String({ pattern: idPattern(prefix), description: `${what} Example: "${prefix}_01jz0000000000000000000000"` })

export const flag = (what: string) => Type.Optional(Type.Boolean({ description: `${what} Example: true` }))

/** Without the spaces around it, and not a blank one: nothing is found by those, which would read like an answer. */
export const text = (what: string, maxLength = 300) => Type.Optional(filled(maxLength, { 'x-trimmed': true, description: what }))

/** Members of an order and the like that are handed on as they are. */
export const anything = Type.Object({}, { additionalProperties: true })
export const anythingOrNull = nullable(anything)
export const texts = Type.Array(Type.String())
