import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import postgres from "postgres";
import { createPublicClient, type Hex, http } from "viem";

/** A place to search, named so that a finding can be traced. */
export interface Place {
  name: string;
  content: Buffer;
}

/** Yields every regular file below a folder, in overlapping pieces so that nothing hides at a seam. */
export function* filesBelow(root: string): Generator<Place> {
  for (const entry of readdirSync(root, { withFileTypes: true, recursive: true })) {
    const file = path.join(entry.parentPath, entry.name);
    if (!entry.isFile() || statSync(file, { throwIfNoEntry: false }) === undefined) continue;
    try {
      yield { name: path.relative(root, file), content: readFileSync(file) };
    } catch (error) {
      // Postgres and the chains keep working, so a file may be gone by now.
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
  }
}

/** Yields all rows of all tables of a database, as text. */
export async function* tables(databaseUrl: string): AsyncGenerator<Place> {
  const sql = postgres(databaseUrl, { max: 1 });
  try {
    const names = await sql<{ schema: string; name: string }[]>`
      select table_schema as schema, table_name as name from information_schema.tables
      where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')
        -- A partition's rows are its table's.
        and not (select relispartition from pg_class where oid = format('%I.%I', table_schema, table_name)::regclass)`;
    for (const { schema, name } of names) {
      const rows: string[] = [];
      const all = sql<{ row: string }[]>`select t::text as row from ${sql(schema)}.${sql(name)} t`;
      for await (const page of all.cursor(1_000)) rows.push(...page.map(({ row }) => row));
      yield { name: `table ${schema}.${name}`, content: Buffer.from(rows.join("\n")) };
    }
  } finally {
    await sql.end();
  }
}

/** Returns calldata, logs and the whole state (storage, code, history) of a local chain, also with hex decoded. */
export async function chain(rpcUrl: string): Promise<Place[]> {
  const client = createPublicClient({ transport: http(rpcUrl) });
  const calldata: string[] = [];
  for (let number = await client.getBlockNumber(); number >= 0n; number -= 1n) {
    const block = await client.getBlock({ blockNumber: number, includeTransactions: true });
    for (const transaction of block.transactions) calldata.push(transaction.input);
  }
  const logs = await client.getLogs({ fromBlock: 0n, toBlock: "latest" });
  const dump = await client.request<{ Method: "anvil_dumpState"; Parameters: []; ReturnType: Hex }>({
    method: "anvil_dumpState",
    params: [],
  });
  const state = gunzipSync(Buffer.from(dump.slice(2), "hex"));
  return [
    { name: `${rpcUrl} calldata`, content: Buffer.from(calldata.join("\n")) },
    {
      name: `${rpcUrl} logs`,
      content: Buffer.from(logs.map((log) => [...log.topics, log.data].join("\n")).join("\n")),
    },
    { name: `${rpcUrl} state`, content: state },
  ];
}
