// postgres.js with the fixes and additions of patches/: all that opens a connection imports it from here.
import postgres from 'postgres'

// Unpatched it hangs or ends the process when a connection dies, and transactions would not run as they are written. This is found while
// modules are loaded, where no caller could turn an error into the one line that an operator is told.
if (!postgres.patched) {
  console.error('The database driver lacks the fixes of patches/, so nothing was started; run: npm ci && node bin/install.mjs')
  process.exit(1)
}

export default postgres
