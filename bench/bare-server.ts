/*
 * The baseline for reads and payments: bare `node:http` in its own process, on the database of the running stack (found
 * like in test/services/web.ts). Prints its port.
 *   GET /transfer/<id>   one row by its primary key
 *   POST /payment        one transaction with the statements of a payment
 *   POST /least/<n>      the same with all that no payment goes without (bench/least-payment.ts), n in a proof, whose
 *                        time is in the header `server-timing`
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { connect } from "@/db/connect";
import { env } from "@/lib/base/env";
import { adoptRunningStack } from "@/scripts/stack/running-env";
import { type BareStatements, openBarePayments } from "./bare-payment";
import { type LeastPayments, openLeastPayments } from "./least-payment";

await adoptRunningStack();
const sql = connect(env().databaseUrl, { max: env().databasePool });

async function rowOf(url: string): Promise<unknown> {
  const [row] = await sql`
    select id, status, to_given, kind, asset, tx_hash, created_at, confirmed_at, reference
    from transfers where id = ${url.slice("/transfer/".length)}`;
  return row;
}

let opened: Promise<{ statements: BareStatements; least: LeastPayments }> | undefined;

async function open() {
  const statements = await openBarePayments();
  return { statements, least: openLeastPayments(statements) };
}

async function paid(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
  opened ??= open();
  const { statements, least } = await opened;
  const { amount } = JSON.parse(await text(request)) as { amount: string };
  if (!/^\d+(\.\d+)?$/.test(amount)) throw new Error("an amount is a decimal number");
  const [, inProof] = request.url?.match(/^\/least\/(\d+)$/) ?? [];
  if (inProof) {
    const { made, proveMs } = await least(Number(inProof));
    response.setHeader("server-timing", `prove;dur=${proveMs}`);
    return made;
  }
  const [made] = await statements(1);
  return made;
}

const server = createServer((request, response) => {
  const isPayment = request.method === "POST";
  (isPayment ? paid(request, response) : rowOf(request.url ?? "")).then(
    (found) => {
      const body = JSON.stringify(found);
      response.writeHead(isPayment ? 201 : 200, {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(body),
      });
      response.end(body);
    },
    (error: unknown) => {
      console.error(error);
      response.writeHead(500).end();
    },
  );
});
server.listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port));
