// The bytes of buffers that this process still uses: what is garbage is collected first.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

export function liveBytes(): number {
  // Buffers are freed beside the collection that finds them dead, and surely before the next one.
  collect()
  collect()
  return process.memoryUsage().arrayBuffers
}
