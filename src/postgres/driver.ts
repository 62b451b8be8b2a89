// postgres.js with the fixes and additions of patches/: all code that connects imports it from here.
import postgres from 'postgres'

// The unpatched driver hangs or ends the process when a connection dies, and breaks transactions. This is found while modules are loaded, where
// no caller could turn an error into the one line for the operator.
if (!postgres.patched) {
  console.error('The database driver lacks the fixes of patches/, so nothing was started; run: npm ci && node bin/install.mjs')
  process.exit(1)
}

export default postgres
