/*
 * What reads are measured against: `node:http` alone in a process of its own, on the database of the stack that runs
 * here (found as test/services/web.ts finds it). It prints its port.
 *   GET /transfer/<id>   one row by its primary key
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { connect } from "@/db/connect";
import { env } from "@/lib/env";
import { adoptRunningStack } from "@/scripts/stack/running-env";

await adoptRunningStack();
const sql = connect(env().databaseUrl, { max: env().databasePool });

async function rowOf(url: string): Promise<unknown> {
  const [row] = await sql`
    select id, status, to_given, kind, asset, tx_hash, created_at, confirmed_at, reference
    from transfers where id = ${url.slice("/transfer/".length)}`;
  return row;
}

const server = createServer((request, response) => {
  rowOf(request.url ?? "").then(
    (found) => {
      const body = JSON.stringify(found);
      response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) });
      response.end(body);
    },
    (error: unknown) => {
      console.error(error);
      response.writeHead(500).end();
    },
  );
});
server.listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port));
