// The declaration of a tool: what its model reads, what it takes and gives, and the verb behind it. Nouns declare theirs in tools.ts.
import type { Static, TObject, TSchema } from 'typebox'
import type { Caller } from '../../caller.ts'
import type { Prefix } from '../../ids.ts'
import type { Queryable, Tx } from '../../postgres/sql.ts'
import type { Problem } from '../../problems.ts'
import type { Role } from './credentials.ts'

interface ToolBase<I extends TObject> {
  name: string
  title: string
  /** What it does, when to use it and when another, what comes back; at most DESCRIPTION_CHARS characters. */
  description: string
  /** The least role; `operator` unless given. */
  role?: Role
  hints?: { destructive?: true; idempotent?: true; openWorld?: true }
  input: I
  output: TSchema
  /** A call of it as it may be made, for the documentation. */
  example: Record<string, unknown>
  /** The argument by which it finds a thing, and what that is: ids of that form point to this tool. */
  finds?: {
    argument: string
    idPrefix: Prefix
    noun: string
    /** Whether all such reads of one moment share a statement. */
    shared?: true
  }
  /** What to do about a refusal of the verb, by its code. */
  nextSteps?: Record<string, (refusal: Problem, args: Static<I>) => string>
  /** Fields of the verb's refusals by other names than the arguments'. */
  renamed?: Record<string, string>
}

export interface ReadInput<I extends TObject> {
  caller: Caller
  args: Static<I>
  /** One connection, for statements that touch one row. */
  point: Queryable
  /** For lists: statements that look at few rows. */
  sql: Queryable
  /** For statements that may look at many rows: `work` gets a connection when its tenant's turn comes. */
  apart: <T>(work: (sql: Queryable) => Promise<T>) => Promise<T>
}

/** The results of tools are JSON texts, which are never parsed again. */
export interface ReadTool<I extends TObject = TObject> extends ToolBase<I> {
  scope: 'read'
  run: (input: ReadInput<I>) => Promise<string>
}

export interface WriteTool<I extends TObject = TObject> extends ToolBase<I> {
  scope: 'write'
  run: (input: { caller: Caller; args: Static<I>; tx: Tx }) => Promise<string>
}

export type Tool = ReadTool | WriteTool

// Declared through these, a tool's `run` is typed by its schema.
export const readTool = <I extends TObject>(tool: Omit<ReadTool<I>, 'scope'>): Tool => ({ scope: 'read', ...tool }) as unknown as Tool
export const writeTool = <I extends TObject>(tool: Omit<WriteTool<I>, 'scope'>): Tool => ({ scope: 'write', ...tool }) as unknown as Tool
