// Mends postgres.js 3.4.9 as it is loaded (node --import): what happens when a connection dies, and Unix sockets in URLs. Known upstream in
// part and not yet released (github.com/porsager/postgres, issues 1057, 1154 and 1208). Goes when it is; test/postgres/mend-driver.test.ts says
// whether it may.
import { registerHooks } from 'node:module'

/** File of the package → what stands there → what shall. */
const MENDS: Record<string, [from: string, to: string][]> = {
  // What waited to be written stayed before the next start-up message, and the connection never came back.
  'connection.js': [
    [
      "clearImmediate(nextWriteTimer)\n    socket.removeListener('data', data)",
      "clearImmediate(nextWriteTimer)\n    chunk = nextWriteTimer = null\n    socket.removeListener('data', data)",
    ],
    // Statements sent after a reset and before the close were rejected by nobody: they waited for ever, and once the connection was back
    // they took the answers of others for theirs.
    ['!hadError && (query || sent.length) && error(', ';(query || sent.length) && error('],
    // Whoever was turned away without a word, as by a balancer with nobody behind it, tried for ever, and the statement with it.
    [
      'if (initial)\n      return reconnect()\n',
      "initial && (queryError(initial, Errors.connection('CONNECTION_CLOSED', options, socket)), initial = null)\n",
    ],
    // Whoever closes a connection that died with a statement under way waits until that is answered: for ever.
    [
      "onclose(connection, Errors.connection('CONNECTION_CLOSED', options, socket))\n",
      "onclose(connection, Errors.connection('CONNECTION_CLOSED', options, socket))\n    query = null\n    initial || ended && (ended(), ending = ended = null)\n",
    ],
    // sslmode=verify-full: without a host's name to go by, as with an address, Node checks that the certificate is for `localhost`.
    ['socket,\n      servername: net', 'socket,\n      host: socket.host,\n      servername: net'],
    // What was to be written when its connection was gone already was written to no socket, which ended the process.
    [
      'const x = socket.write(chunk, fn)',
      "if (socket === null) {\n      chunk = nextWriteTimer = null\n      ;(query || sent.length) && error(Errors.connection('CONNECTION_CLOSED', options, socket))\n      return true\n    }\n    const x = socket.write(chunk, fn)",
    ],
    // A statement that is planned anew is repeated: in a transaction in vain, and behind its COMMIT outside of it.
    ['q.retried = error\n', 'if (connection.reserved)\n      return errored(error)\n    q.retried = error\n'],
    // A connection that died while it learnt of array types was nobody's to catch, which ends the process.
    ['return fetchArrayTypes()', 'return fetchArrayTypes().catch(() => {})'],
  ],
  // A transaction that outlived its connection went on writing: to no socket, which ended the process, or to the connection's next
  // session, before its start-up or into somebody else's transaction.
  'index.js': [
    ['let savepoints = 0\n', 'let savepoints = 0\n      , lost = null\n'],
    ['(_, reject) => connection.onclose = reject', '(_, reject) => connection.onclose = error => reject(lost = error)'],
    [
      'q.catch(e => uncaughtError || (uncaughtError = e))\n        c.queue',
      'q.catch(e => uncaughtError || (uncaughtError = e))\n        if (lost)\n          return q.reject(lost)\n        c.queue',
    ],
    // BEGIN is sent together with the statement after it where that only reads (`readsFirst`), and COMMIT together with the last (`commitBehind`): each
    // was a round trip of its own. Once COMMIT is sent the connection is somebody else's, so nothing more is sent for the transaction.
    [
      "await sql.unsafe('begin ' + options.replace(/[^a-z ]/ig, ''), [], { onexecute }).execute()",
      `await new Promise((resolve, reject) => {
        sql.unsafe('begin ' + options.replace(/[^a-z ]/ig, ''), [], { onexecute: c => { onexecute(c); fn.readsFirst && resolve() } }).execute()
          .then(resolve, error => reject(lost = lost || error))
      })
      connection.queue === full && move(connection, reserved)`,
    ],
    ['let uncaughtError\n', 'let ending = null\n        , uncaughtError\n'],
    [
      'sql.savepoint = savepoint\n',
      'sql.savepoint = savepoint\n      sql.commitBehind = () => (ending = sql`commit`).execute().catch(() => {})\n',
    ],
    ['await (name\n', 'await (ending ? ending.catch(() => {}) : name\n'],
    [': await sql`commit`', ': await (ending || sql`commit`)'],
    // A socket's folder stands in the place of the host with its slashes encoded, as libpq and `pg` read it.
    ['hostname: urlObj.hostname,', 'hostname: decodeURIComponent(urlObj.hostname),'],
  ],
}

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    const mends = MENDS[/\/node_modules\/postgres\/src\/(\w+\.js)$/.exec(url)?.[1] ?? '']
    return mends ? { ...loaded, source: mended(String(loaded.source), mends) } : loaded
  },
})

function mended(source: string, mends: [string, string][]): string {
  let text = source
  for (const [from, to] of mends) {
    if (!text.includes(from)) throw new Error('postgres.js is not the version that src/postgres/mend-driver.ts mends; see there.')
    text = text.replace(from, () => to)
  }
  return text
}
