// Loaded before a program (NODE_OPTIONS=--import=…), lets its clock be SKEW_MS ahead, or behind if that is less than nothing.
const ahead = Number(process.env['SKEW_MS'])
const RealDate = Date

globalThis.Date = class extends RealDate {
  constructor(...args: [number]) {
    super(...((args.length > 0 ? args : [RealDate.now() + ahead]) as [number]))
  }
  static override now(): number {
    return RealDate.now() + ahead
  }
} as DateConstructor
