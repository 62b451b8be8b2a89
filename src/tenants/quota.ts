// What a workspace may have only so much of. How much is a setting.
import { Type } from 'typebox'
import { conflict } from '../ingress/problem-shapes.ts'
import { Problem } from '../problems.ts'

export const QuotaReached = conflict('quota_reached', { limit: Type.Integer({ minimum: 1, description: 'As much as there may be.' }) })

/** @param detail with the way out */
export const quotaReached = (detail: string, limit: number): Problem => new Problem('conflict', detail, { code: QuotaReached.code, limit })
