// What others ask of apps within statements of their own.
import type { Fragment, Text } from '../postgres/sql.ts'
import * as store from './store.ts'

/** A condition: something of an active app of the workspace begins with events of this type. One look in one index. */
export const beginsWithPart = (tenant: Text, type: Text): Fragment => store.hasTrigger(tenant, type)

/** A query of one text: the active apps of the workspace that begin with events of this type, each as `<app> <revision>`, with spaces between. */
export const beginningPart = (tenant: Text, type: Text): Fragment => store.withTrigger(tenant, type)

/** A query of one number: the bytes of their manifests. */
export const beginningBytesPart = (tenant: Text, type: Text): Fragment => store.manifestBytes(tenant, type)

/** A text that is another after each change of an app of the workspace. One look in one index. */
export const versionPart = (tenant: Text): Fragment => store.versionOf(tenant)

/** A condition: the app is active, so its skills may be called and its flows may go on. */
export const isActivePart = (tenant: Text, app: Text): Fragment => store.isActive(tenant, app)

/** A condition: a required setting of the app has no value. */
export const lacksConfigPart = (tenant: Text, app: Text): Fragment => store.lacksConfig(tenant, app)
