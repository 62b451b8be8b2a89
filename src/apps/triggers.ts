// Which events something of an app begins with.
import type { Manifest } from './manifest/shape.ts'
import type { Row } from './store.ts'

/** The types of events that enabled flows begin with; none where the app is not active. */
export const triggersOf = ({ state }: Pick<Row, 'state'>, { flows = [] }: Manifest): string[] =>
  state === 'active' ? [...new Set(flows.filter(({ enabled = true }) => enabled).map(({ trigger }) => trigger))] : []
