// Repairs of dependencies that no release has yet (docs/decisions/0222-postgres-js-is-repaired.md). Plain Node, like
// install.mjs, which applies them to what npm has installed.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

/** In each file, each text is replaced wherever it occurs. `count` says how often that is. */
const PATCHES = [
  {
    files: ["postgres/src/connection.js", "postgres/cjs/src/connection.js"],
    changes: [
      {
        // A statement of a connection that has closed. It was sent to null, where nothing catches the error, so the
        // process ended.
        from: "  function nextWrite(fn) {\n",
        to: `  function nextWrite(fn) {
    if (!socket) {
      chunk = nextWriteTimer = null
      const closed = Errors.connection('CONNECTION_CLOSED', options)
      query && queryError(query, closed)
      while (sent.length)
        queryError(sent.shift(), closed)
      return false
    }
`,
        count: 1,
      },
      {
        // What was not sent when a connection closed. It was kept, together with the timer that would not come, so
        // nothing was ever sent on that connection again.
        from: "    clearImmediate(nextWriteTimer)\n",
        to: "    clearImmediate(nextWriteTimer)\n    chunk = nextWriteTimer = null\n",
        count: 2,
      },
    ],
  },
  {
    files: ["postgres/src/index.js", "postgres/cjs/src/index.js"],
    changes: [
      {
        from: "      , prepare = null\n",
        to: "      , prepare = null\n      , lost = null\n",
        count: 1,
      },
      {
        // The connection may be opened again for others before a transaction's code has noticed that it was closed. That
        // code's statements, and the one that ends the transaction, then ran in another transaction.
        from: "connection.onclose = reject)\n",
        to: `connection.onclose = e => {
          lost = e
          while (queries.length)
            queries.shift().reject(e)
          reject(e)
        })
`,
        count: 1,
      },
      {
        from: "        q.catch(e => uncaughtError || (uncaughtError = e))\n",
        to: `        q.catch(e => uncaughtError || (uncaughtError = e))
        if (lost)
          return q.reject(lost)
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
      const file = path.join(modules, name);
      if (!existsSync(file)) continue;
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
