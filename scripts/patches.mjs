// Repairs of dependencies that no release has yet (docs/design/database.md). Plain Node, like
// install.mjs, which applies them to what npm has installed.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

/** In each file, each text is replaced wherever it occurs. `count` says how often that is. */
export const PATCHES = [
  {
    files: ["postgres/src/connection.js", "postgres/cjs/src/connection.js"],
    changes: [
      {
        // What was not sent when a connection closed. It was kept, together with the timer that would not come, so
        // nothing was ever sent on that connection again.
        from: "    clearImmediate(nextWriteTimer)\n",
        to: "    clearImmediate(nextWriteTimer)\n    chunk = nextWriteTimer = null\n",
        count: 2,
      },
      {
        // A statement of a connection that has closed. It was sent to null, where nothing catches the error, so the
        // process ended.
        from: "  function nextWrite(fn) {\n",
        to: `  function nextWrite(fn) {
    if (!socket) {
      clearImmediate(nextWriteTimer)
      chunk = nextWriteTimer = null
      rejectAll(Errors.connection('CONNECTION_CLOSED', options))
      return false
    }
`,
        count: 1,
      },
      {
        // What was under way when a connection closed, and what was sent between its error and its close. It stayed,
        // and took the responses to others' statements once the connection was opened again.
        from: "    socket.removeAllListeners()\n    socket = null\n",
        to: `    socket.removeAllListeners()
    socket = null
    rejectAll(Errors.connection('CONNECTION_CLOSED', options))
`,
        count: 1,
      },
      {
        // Everything is rejected above. A pool that is being ended waits for it.
        from: "    !hadError && (query || sent.length) && error(Errors.connection('CONNECTION_CLOSED', options, socket))\n",
        to: "    ended && terminate()\n",
        count: 1,
      },
      {
        from: "  function queryError(query, err) {\n",
        to: `  function rejectAll(err) {
    stream && (stream.destroy(err), stream = null)
    query && queryError(query, err)
    while (sent.length)
      queryError(sent.shift(), err)
    query = results = errorResponse = null
    result = new Result()
    rows = 0
  }

  function queryError(query, err) {
`,
        count: 1,
      },
      {
        // The rows of a result that failed. The next query's rows began with as many that were undefined.
        from: "    query = results = errorResponse = null\n    result = new Result()\n    connectTimer.cancel()\n",
        to: `    query = results = errorResponse = null
    result = new Result()
    rows = 0
    connectTimer.cancel()
    if (x[5] === 73) // I
      connection.unhurried = false
`,
        count: 1,
      },
      {
        // A connection on which nothing arrives, although a response is due: packets are lost, the other host is frozen,
        // or something in between has forgotten the connection. It was waited for as long as the kernel does. `looks` are
        // counted rather than time, so that after a pause of this process what has arrived meanwhile is read first.
        from: "  let socket = null\n",
        to: "  let socket = null\n    , looks = 0\n    , watch = null\n",
        count: 1,
      },
      {
        from: "    lifeTimer.start()\n",
        to: `    lifeTimer.start()
      connection.unhurried = false
      clearInterval(watch)
      watch = options.response_timeout ? setInterval(look, options.response_timeout * 125).unref() : null
`,
        count: 1,
      },
      {
        from: "    lifeTimer.cancel()\n",
        to: "    lifeTimer.cancel()\n    clearInterval(watch)\n",
        count: 1,
      },
      {
        from: "  function connectTimedOut() {\n",
        to: `  function look() {
    if ((query || sent.length || terminated) && !connection.unhurried && ++looks > 8)
      socket.destroy(Errors.generic('ETIMEDOUT', 'PostgreSQL has not responded in time'))
  }

  function connectTimedOut() {
`,
        count: 1,
      },
      { from: "  function data(x) {\n", to: "  function data(x) {\n    looks = 0\n", count: 1 },
      {
        from: "(query = q, query.active = true)",
        to: "(query = q, query.active = true, looks = 0)",
        count: 1,
      },
    ],
  },
  {
    files: ["postgres/src/index.js", "postgres/cjs/src/index.js"],
    changes: [
      // Seconds until `look` gives up; db/connect.ts sets it.
      {
        from: "    socket          : o.socket,\n",
        to: "    socket          : o.socket,\n    response_timeout: o.response_timeout,\n",
        count: 1,
      },
      // So that a transaction can say that its statements may take long (db/gate.ts).
      {
        from: "      sql.savepoint = savepoint\n",
        to: "      sql.savepoint = savepoint\n      sql.connection = c\n",
        count: 1,
      },
      {
        // A transaction's code may go on after its connection was lost, or after it has ended: one of several parts that
        // run side by side. Its statements, and the one that ends the transaction, ran in the transaction that had the
        // connection by then.
        from: "      , prepare = null\n",
        to: "      , prepare = null\n      , last = null\n      , over = null\n",
        count: 1,
      },
      {
        from: "connection.onclose = reject)\n",
        to: `connection.onclose = e => {
          over = e
          while (queries.length)
            queries.shift().reject(e)
          reject(e)
        })
`,
        count: 1,
      },
      {
        from: "          : sql`rollback`\n",
        to: "          : (last = sql`rollback`)\n",
        count: 1,
      },
      {
        from: "          : await sql`commit`\n",
        to: "          : await (last = sql`commit`)\n",
        count: 1,
      },
      {
        from: "        q.catch(e => uncaughtError || (uncaughtError = e))\n",
        // What PostgreSQL says to the statements after one that failed gets that one's error as its cause.
        to: `        q.catch(e => uncaughtError ? e.code === '25P02' && (e.cause = uncaughtError) : (uncaughtError = e))
        if (over)
          return q.reject(over)
        if (q === last)
          over = Errors.generic('TRANSACTION_ENDED', 'The transaction has ended')
`,
        count: 1,
      },
    ],
  },
];

/** The packages that they change. */
export const PATCHED = [...new Set(PATCHES.flatMap(({ files }) => files.map((file) => file.split("/")[0])))];

/**
 * Applies them to a folder of dependencies that npm has just installed.
 *
 * @param {string} modules
 * @throws Error if one does not fit: look whether a new version still needs it
 */
export function applyPatches(modules) {
  for (const { files, changes } of PATCHES) {
    for (const name of files) {
      if (!existsSync(path.join(modules, name.split("/")[0]))) continue;
      const file = path.join(modules, name);
      let text = readFileSync(file, "utf8");
      for (const { from, to, count } of changes) {
        const parts = text.split(from);
        if (parts.length - 1 !== count) throw new Error(`${name} is not what scripts/patches.mjs repairs`);
        text = parts.join(to);
      }
      writeFileSync(file, text);
    }
  }
}
