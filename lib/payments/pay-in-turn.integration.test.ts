import { and, eq, inArray } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { db } from "@/db/client";
import { connect } from "@/db/connect";
import { operations, outgoingTransactions } from "@/db/schema/chain";
import { events } from "@/db/schema/events";
import { transfers } from "@/db/schema/transfers";
import { revokeKey } from "@/lib/accounts/keys/revoke-key";
import { setBatchPayments } from "@/lib/accounts/set-batch-payments";
import { assetBySymbol } from "@/lib/base/assets";
import { withClient } from "@/lib/base/client-left";
import type { KeyContext } from "@/lib/base/context/context";
import { processProver } from "@/lib/prover/process-prover";
import { Agent } from "@/test/accounts/agent";
import { createApiKey } from "@/test/accounts/api-key";
import { Owner, settled } from "@/test/accounts/owner";
import { authenticated, postTransfer } from "@/test/accounts/post-transfer";
import { whileLocked } from "@/test/accounts/while-locked";
import { crash } from "@/test/chain/crash";
import { type LocalServices, startLocalServices } from "@/test/services/local-services";
import { withWorker } from "@/test/services/with-worker";
import { createTransfer } from "./create-transfer";
import { paidTransfer } from "./paid-transfer";
import { toTransferResource } from "./transfer-resource";
import { waitingAt } from "./waiting-payments";

const CHAIN = 46630;
let services: LocalServices;
let payer: Owner;
let key: KeyContext;
let recipient: Owner;
let agent: Agent;

beforeAll(async () => {
  services = await startLocalServices();
  await withWorker(async () => {
    payer = await Owner.funded(CHAIN, 500_000_000n);
    recipient = await Owner.create(CHAIN);
    await settled(await recipient.enroll());
    const created = await Agent.create(payer);
    agent = created.agent;
    key = await payer.key();
    const input = { to: `@${agent.account.handle}`, amount: "50", asset: "USDG", confidential: true } as const;
    const { row } = paidTransfer(await createTransfer(key, input));
    await settled(created.operationId, row.operationId);
  });
});
afterAll(() => services?.stop());
beforeEach(() => {
  crash.beforeBroadcast = false;
});

type Created = Awaited<ReturnType<typeof createTransfer>>;
const body = (amount: string) => {
  return { to: `@${recipient.account.handle}`, amount, asset: "USDG" as const, confidential: true };
};
const ask = (amount: string, by = key, complete: (created: Created) => Promise<void> = async () => {}) =>
  createTransfer(by, body(amount), (_tx, created) => complete(created));

/** Requests payments while their available balance is locked, so that all of them wait when it becomes free. */
const waiting = <T>(asking: (() => Promise<T>)[]) => whileLocked(payer, asking);
const availableId = () => ({ chainId: CHAIN, account: payer.address, asset: assetBySymbol(CHAIN).address }) as const;
const limit = async () => (await payer.decryptAvailable()).limit;
const rowsOf = (ids: readonly string[]) =>
  db()
    .select()
    .from(transfers)
    .where(inArray(transfers.id, [...ids]));

/** Runs `work` and returns the circuits of the proofs that were made in the meantime. */
async function proofsOf<T>(work: () => Promise<T>): Promise<{ result: T; proofs: string[] }> {
  const spy = vi.spyOn(await processProver(), "proveAndVerify");
  try {
    return { result: await work(), proofs: spy.mock.calls.map(([circuit]) => circuit) };
  } finally {
    spy.mockRestore();
  }
}

describe("requests of one account that wait for its available balance", () => {
  test("share a proof: a transfer, a response and an event of each, and each is of its own key", async () => {
    const [before, other] = [await limit(), await payer.key()];
    const completed = new Map<string, string>();
    await withWorker(async () => {
      const asked = [1, 2, 3, 4, 5].map((amount) => () => {
        const complete = async (created: Created) => {
          completed.set(paidTransfer(created).row.id, JSON.stringify(toTransferResource(paidTransfer(created))));
        };
        return ask(String(amount), amount % 2 ? key : other, complete);
      });
      const { result, proofs } = await proofsOf(() => waiting(asked));
      expect(proofs).toEqual(["pay-many"]);
      const views = result.flatMap((one) => (one.status === "fulfilled" ? [paidTransfer(one.value)] : []));
      expect(new Set(views.map(({ row }) => row.id)).size).toBe(5);
      expect(new Set(views.map(({ row }) => row.operationId)).size).toBe(1);
      expect(views.map(({ row }) => row.keyId)).toEqual([key, other, key, other, key].map(({ keyId }) => keyId));
      // Each stored response contains only its own payment.
      expect([...completed.keys()].sort()).toEqual(views.map(({ row }) => row.id).sort());
      for (const { row } of views) {
        const kept = completed.get(row.id) ?? "";
        expect(kept).toContain(row.id);
        for (const other of views) if (other.row.id !== row.id) expect(kept).not.toContain(other.row.id);
      }
      const initiated = await db()
        .select({ payload: events.payload })
        .from(events)
        .where(and(eq(events.accountId, payer.account.id), eq(events.type, "transfer.initiated")));
      const announced = JSON.stringify(initiated);
      for (const { row } of views) expect(announced.split(row.id)).toHaveLength(2);
      expect(await settled(views[0]?.row.operationId ?? "")).toEqual(["confirmed"]);
    });
    expect(await limit()).toBe(before - 15_000_000n);
    const received = (await recipient.openNotes()).map(({ amount }) => Number(amount / 1_000_000n));
    expect(received.sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5]);
  });

  test("never make a single one wait, and go one by one while they are few: that is faster", async () => {
    await withWorker(async () => {
      const single = await proofsOf(() => ask("1"));
      expect(single.proofs).toEqual(["transfer"]);
      const few = await proofsOf(() => waiting([() => ask("1"), () => ask("1"), () => ask("1")]));
      expect(few.proofs).toEqual(["transfer", "transfer", "transfer"]);
    });
  });

  test("are at most sixteen to a proof, and none is made by its own turn as well", async () => {
    const before = await limit();
    await withWorker(async () => {
      const { result, proofs } = await proofsOf(() => waiting(Array.from({ length: 33 }, () => () => ask("0.1"))));
      // However many payments a batch has.
      expect(proofs.sort()).toEqual(["pay-many", "pay-many", "transfer"]);
      const ids = result.map((one) => (one.status === "fulfilled" ? paidTransfer(one.value).row.operationId : ""));
      expect(new Set(await settled(...new Set(ids)))).toEqual(new Set(["confirmed"]));
    });
    expect(await limit()).toBe(before - 3_300_000n);
  });

  test("go singly when together they can't: each fails for itself alone", async () => {
    const before = await limit();
    const revoked = await createApiKey(payer);
    const { context } = await authenticated(revoked.text);
    const dies = async () => {
      throw new Error("its key is taken");
    };
    const tooMuch = () => ask("1000000");
    const ofRevoked = async () => {
      await revokeKey(payer.session, revoked.id);
      return createTransfer(context, body("5"));
    };
    for (const [bad, reason] of [
      [tooMuch, { code: "insufficient_balance" }],
      [() => ask("4", key, dies), { message: "its key is taken" }],
      [ofRevoked, { code: "unauthorized" }],
    ] as const) {
      await withWorker(async () => {
        const [one, failed, ...others] = await waiting<Created>([() => ask("1"), bad, () => ask("1"), () => ask("1")]);
        expect(failed).toMatchObject({ status: "rejected", reason });
        const views = [one, ...others].flatMap((ended) => {
          return ended?.status === "fulfilled" ? paidTransfer(ended.value) : [];
        });
        expect(views.map(({ row }) => row.batchIndex)).toEqual([null, null, null]);
        expect(await settled(...views.map(({ row }) => row.operationId))).toEqual(Array(3).fill("confirmed"));
      });
    }
    expect(await limit()).toBe(before - 9_000_000n);
  });

  test("go one by one where their owner has turned it off, and where a payment is public or an agent's", async () => {
    const agentKey = await agent.key();
    const four = (by: KeyContext, confidential: boolean) =>
      [1, 2, 3, 4].map(() => () => createTransfer(by, { ...body("1"), confidential }));
    await withWorker(async () => {
      await setBatchPayments(payer.session, false);
      const off = await proofsOf(() => Promise.all(four(key, true).map((asked) => asked())));
      await setBatchPayments(payer.session, true);
      const open = await proofsOf(() => Promise.all(four(key, false).map((asked) => asked())));
      const limited = await proofsOf(() => Promise.all(four(agentKey, true).map((asked) => asked())));
      expect([...off.proofs, ...open.proofs, ...limited.proofs]).toEqual([
        ...[...Array(4).fill("transfer"), ...Array(4).fill("release"), ...Array(4).fill("spend")],
      ]);
      const created = [...off.result, ...open.result, ...limited.result];
      const ids = created.map((one) => paidTransfer(one).row.operationId);
      expect(new Set(await settled(...ids))).toEqual(new Set(["confirmed"]));
    });
  });
});

describe("a request that no one waits for any more", () => {
  const asked = (apiKey: string, name: string, left: AbortSignal) =>
    withClient(left, () => postTransfer(apiKey, `left-${name}`, body("1")));

  test("stops waiting for its available balance: nothing is paid, and its key is free", async () => {
    const [before, { text }, gone] = [await limit(), await createApiKey(payer), new AbortController()];
    const [left] = await whileLocked(payer, [() => asked(text, "alone", gone.signal)], (waits) => {
      gone.abort();
      return Promise.allSettled(waits);
    });
    expect(left).toMatchObject({ status: "rejected", reason: { code: "unavailable" } });
    expect(waitingAt(availableId())).toBe(0);
    expect(await limit()).toBe(before);
    await withWorker(async () => {
      const id = await asked(text, "alone", new AbortController().signal);
      expect(await settled((await rowsOf([id]))[0]?.operationId ?? "")).toEqual(["confirmed"]);
    });
    expect(await limit()).toBe(before - 1_000_000n);
  });

  test("is paid once all the same when another's turn already has it, and its key is that payment", async () => {
    const [before, { text }, gone] = [await limit(), await createApiKey(payer), new AbortController()];
    const prover = await processProver();
    const prove = prover.proveAndVerify.bind(prover);
    // All four are in the proof by now.
    const spy = vi.spyOn(prover, "proveAndVerify").mockImplementation((...args) => {
      gone.abort();
      return prove(...args);
    });
    await withWorker(async () => {
      const never = new AbortController().signal;
      const four = ["a", "b", "c", "d"].map((name) => () => asked(text, name, name === "a" ? never : gone.signal));
      const paid = await waiting(four);
      spy.mockRestore();
      const ids = paid.flatMap((one) => (one.status === "fulfilled" ? one.value : []));
      expect(new Set(ids).size).toBe(4);
      expect(await Promise.all(["a", "b", "c", "d"].map((name) => asked(text, name, never)))).toEqual(ids);
      const rows = await rowsOf(ids);
      expect(await settled(...new Set(rows.map(({ operationId }) => operationId)))).toEqual(["confirmed"]);
    });
    expect(await limit()).toBe(before - 4_000_000n);
  });
});

describe("a process that dies while payments go together", () => {
  const keys = ["a", "b", "c", "d"].map((name) => `together-${name}`);
  /** Sends payments like `POST /v1/transfers`, each with its own Idempotency-Key. */
  const posted = (apiKey: string, prefix: string) =>
    keys.map((name) => () => postTransfer(apiKey, `${prefix}-${name}`, body("1")));
  const idsOf = (list: readonly PromiseSettledResult<string>[]) =>
    list.flatMap((one) => (one.status === "fulfilled" ? one.value : []));

  test("between commit and broadcast: the same bytes go out, and each key is its payment for ever", async () => {
    const [before, { text }] = [await limit(), await createApiKey(payer)];
    crash.beforeBroadcast = true;
    const ids = await withWorker(async () => idsOf(await waiting(posted(text, "unsent"))));
    const again = await Promise.all(posted(text, "unsent").map((post) => post()));
    expect(again).toEqual(ids);
    const [row, ...others] = await rowsOf(ids);
    expect(new Set(others.map(({ operationId }) => operationId))).toEqual(new Set([row?.operationId]));
    const sent = await db()
      .select()
      .from(outgoingTransactions)
      .where(eq(outgoingTransactions.operationId, row?.operationId ?? ""));
    expect(sent.map(({ status }) => status)).toEqual(["mined"]);
    expect(await limit()).toBe(before - 4_000_000n);
  });

  test("before its commit: nothing is paid, and every key is free", async () => {
    const [before, { text }] = [await limit(), await createApiKey(payer)];
    const admin = connect(services.env.MIGRATION_DATABASE_URL ?? "", { max: 1 });
    // PostgreSQL drops the connection during the commit of each batch.
    await admin.unsafe(`
      create function lose_client() returns trigger language plpgsql security definer as
        $$ begin perform pg_terminate_backend(pg_backend_pid()); return null; end $$;
      create constraint trigger lost after insert on transfers deferrable initially deferred
        for each row when (new.batch_index = 0) execute function lose_client()`);
    try {
      const lost = await waiting(posted(text, "lost"));
      expect(lost.map(({ status }) => status)).toEqual(Array(4).fill("rejected"));
      expect(await limit()).toBe(before);
    } finally {
      await admin.unsafe("drop trigger lost on transfers; drop function lose_client()");
      await admin.end();
    }
    await withWorker(async () => {
      const ids = idsOf(await waiting(posted(text, "lost")));
      expect(new Set(ids).size).toBe(4);
    });
    expect(await limit()).toBe(before - 4_000_000n);
  });

  test("after a commit of which it hears nothing: no key pays twice, and each gets its payment", async () => {
    const [before, { text }] = [await limit(), await createApiKey(payer)];
    const transaction = db().transaction.bind(db());
    // Payments that find the available balance locked pay nothing.
    const spy = vi.spyOn(db(), "transaction").mockImplementation(async (work, config) => {
      await transaction(work, config);
      throw new Error("the connection is lost");
    });
    const lost = await waiting(posted(text, "silent"));
    spy.mockRestore();
    const reason = expect.objectContaining({ message: "the connection is lost" });
    expect(lost).toEqual(Array(4).fill({ status: "rejected", reason }));
    await withWorker(async () => {
      const ids = idsOf(await waiting(posted(text, "silent")));
      expect(new Set(ids).size).toBe(4);
      const rows = await rowsOf(ids);
      expect(await settled(...new Set(rows.map(({ operationId }) => operationId)))).toEqual(["confirmed"]);
    });
    expect(await limit()).toBe(before - 4_000_000n);
  });
});

test("every payment that was made is confirmed, none is made twice", async () => {
  const all = await db()
    .select({ status: operations.status })
    .from(operations)
    .where(
      and(
        inArray(operations.kind, ["transfer", "transfer_many", "release", "spend"]),
        inArray(operations.account, [payer.address, agent.address]),
      ),
    );
  expect(new Set(all.map(({ status }) => status))).toEqual(new Set(["confirmed"]));
});
