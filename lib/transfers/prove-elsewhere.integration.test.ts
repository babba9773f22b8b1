import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { Server } from "node:https";
import type { AddressInfo } from "node:net";
import { count, eq, sum } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { db } from "@/db/client";
import { operations, relayers } from "@/db/schema/chain";
import { env } from "@/lib/env";
import { createServerProver } from "@/lib/prover/create-server-prover";
import { closeProver } from "@/lib/prover/process-prover";
import { createProverServer, currentTurn } from "@/lib/prover/serve-prover";
import type { WorkerPool } from "@/lib/prover/worker-pool";
import { log } from "@/lib/telemetry/log";
import { Owner, settled } from "@/test/accounts/owner";
import { type LocalServices, startLocalServices } from "@/test/services/local-services";
import { withWorker } from "@/test/services/with-worker";
import { createTransfer } from "./create-transfer";
import { paidTransfer } from "./paid-transfer";

const CHAIN = 46630;
const pem = (name: string) => readFileSync(`test/services/prover-tls/${name}.pem`, "utf8");
const { privateKey: signingKey, publicKey: signer } = generateKeyPairSync("ed25519");
const ofProver = { ca: pem("authority"), cert: pem("prover"), key: pem("prover-key") };
const asked: string[] = [];
let services: LocalServices;
let pool: WorkerPool;
let payer: Owner;
let recipient: Owner;

beforeAll(async () => {
  services = await startLocalServices();
  pool = await createServerProver({ workers: 1, accountOf: currentTurn });
  await withWorker(async () => {
    payer = await Owner.funded(CHAIN, 1_000_000_000n);
    recipient = await Owner.create(CHAIN);
    await settled(await recipient.enroll());
  });
});
afterEach(() => {
  vi.restoreAllMocks();
});
afterAll(async () => {
  await closeProver();
  env().prover = undefined;
  await pool?.close();
  await services?.stop();
});

/** Runs `work` with payments proved by a remote prover, which is stopped afterwards. */
async function provedBy<T>(server: Server, work: () => Promise<T>): Promise<T> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  await closeProver();
  const url = `https://localhost:${(server.address() as AddressInfo).port}`;
  env().prover = { url, ca: pem("authority"), cert: pem("server"), key: pem("server-key"), signingKey };
  try {
    return await work();
  } finally {
    await closeProver();
    env().prover = undefined;
    server.closeAllConnections();
    server.close();
  }
}

const pay = async (amount: string) =>
  paidTransfer(
    await createTransfer(await payer.key(), {
      to: `@${recipient.account.handle}`,
      amount,
      asset: "USDG",
      confidential: true,
    }),
  );

/** Counts the payer's operations and returns the nonces of all relayers. */
async function sent() {
  const [rows] = await db().select({ rows: count() }).from(operations).where(eq(operations.account, payer.address));
  const [nonces] = await db()
    .select({ total: sum(relayers.nextNonce) })
    .from(relayers);
  return [rows?.rows, nonces?.total];
}

test("a payment is proved by a prover of its own, settles, and its recipient reads the amount", async () => {
  const observed = {
    prove: (...job: Parameters<WorkerPool["prove"]>) => {
      asked.push(currentTurn());
      return pool.prove(...job);
    },
  };
  await provedBy(createProverServer(observed, { ...ofProver, signer }), () =>
    withWorker(async () => {
      const { row } = await pay("12.345678");
      expect(await settled(row.operationId)).toEqual(["confirmed"]);
    }),
  );
  expect(asked).toEqual([expect.any(String)]);
  expect((await recipient.openNotes()).map(({ amount }) => amount)).toContain(12_345_678n);
});

test("what a lying prover returns is not sent: no operation, no nonce, and the next payment goes through", async () => {
  vi.spyOn(log(), "error").mockReturnValue();
  const nothing = `0x${"00".repeat(256)}` as const;
  const before = await sent();
  const lying = async (...job: Parameters<WorkerPool["prove"]>) => ({ ...(await pool.prove(...job)), proof: nothing });
  const server = createProverServer({ prove: lying }, { ...ofProver, signer });
  await provedBy(server, () => expect(pay("1")).rejects.toThrow());
  expect(await sent()).toEqual(before);
  await withWorker(async () => {
    expect(await settled((await pay("2")).row.operationId)).toEqual(["confirmed"]);
  });
  // A proof of something else is not even verified; the local prover makes the payment's proof.
  const other = createProverServer(
    { prove: async () => ({ proof: nothing, publicSignals: [1n] }) },
    { ...ofProver, signer },
  );
  await provedBy(other, () =>
    withWorker(async () => {
      expect(await settled((await pay("3")).row.operationId)).toEqual(["confirmed"]);
    }),
  );
});
