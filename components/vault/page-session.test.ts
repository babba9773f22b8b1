import { expect, test, vi } from "vitest";
import type { Wallet } from "@/sdk/chain/wallet";
import type { Context } from "@/sdk/context/context";
import type { PendingPayment } from "@/sdk/payments/attempts/pending-payment";
import type { KeyStore } from "./key-store";
import type { Method } from "./methods/method";
import { PageSession } from "./page-session";
import type { FromVault } from "./protocol";

const owner = { network: "test", address: `0x${"a1".repeat(20)}` } as const;

/** A page's desk whose only method that may sign is `makeAvailable`, and what it said to the page. */
function deskOf(makeAvailable: Method<unknown, unknown>, spending = makeAvailable) {
  const said: FromVault[] = [];
  const keeper = {
    admit: () => true,
    contextFor: (_: unknown, wallet: Wallet) => ({ wallet, isContract: async () => false }) as unknown as Context,
    readAhead: () => {},
    tell: () => {},
    beginRun: () => () => {},
    laterMethods: async () => ({ makeAvailable, spending }),
  };
  const desk = new PageSession(keeper as unknown as KeyStore, (message) => said.push(message));
  desk.hear({ kind: "start", restore: false, described: undefined, ...owner });
  const heard = (kind: FromVault["kind"]) =>
    vi.waitFor(
      () => {
        const message = said.find((each) => each.kind === kind);
        expect(message).toBeDefined();
        return message;
      },
      { timeout: 30_000 },
    );
  return { desk, said, heard };
}

const start = { kind: "run", id: 7, method: "makeAvailable", input: {} } as const;
const cancel = { kind: "cancel", id: 7 } as const;
const data = { domain: {}, types: {}, primaryType: "MakeAvailable", message: {} };

test("a run asks for signatures in its own name, and a cancelled one ends instead of waiting for the wallet", async () => {
  const { desk, heard } = deskOf((context) => context.wallet.signTypedData(data as never));
  desk.hear(start);
  expect(await heard("sign-request")).toMatchObject({ run: 7 });
  desk.hear(cancel);
  expect(await heard("error")).toMatchObject({ id: 7, error: { code: "aborted" } });
});

test("a run that was cancelled before it needs the wallet does not ask it", async () => {
  let go = () => {};
  const proving = new Promise<void>((resolve) => {
    go = resolve;
  });
  const begins = vi.fn();
  const { desk, said, heard } = deskOf(async (context) => {
    begins();
    await proving;
    return context.wallet.signTypedData(data as never);
  });
  desk.hear(start);
  await expect.poll(() => begins).toHaveBeenCalled();
  desk.hear(cancel);
  go();
  expect(await heard("error")).toMatchObject({ id: 7, error: { code: "aborted" } });
  expect(said.map(({ kind }) => kind)).not.toContain("sign-request");
});

test("a run that is cancelled before its record is stored ends without sending it, and lets go of what it holds", async () => {
  const sent = vi.fn();
  const released = vi.fn();
  const { desk, heard } = deskOf(async (_, __, { onPending }) => {
    try {
      await onPending({} as PendingPayment);
      sent();
    } finally {
      released();
    }
  });
  desk.hear(start);
  await heard("pending");
  desk.hear(cancel);
  await heard("error");
  expect(sent).not.toHaveBeenCalled();
  expect(released).toHaveBeenCalledOnce();
});

test("a transaction that the wallet was asked for is still heard of after its run was cancelled", async () => {
  const { desk, heard } = deskOf(async (context) =>
    context.wallet.sendTransaction?.({ to: owner.address, data: "0x", value: 1n } as never, {} as never),
  );
  desk.hear(start);
  await heard("sign-request");
  desk.hear(cancel);
  desk.hear({ kind: "sign-answer", id: 1, signature: "0x01" });
  expect(await heard("result")).toMatchObject({ output: "0x01" });
});

test("runs that only read share what they have decrypted; those that may sign ask in their own name", async () => {
  const contexts: Context[] = [];
  const { desk } = deskOf(async (context) => contexts.push(context));
  for (const [id, method] of (["spending", "spending", "makeAvailable", "makeAvailable"] as const).entries()) {
    desk.hear({ kind: "run", id: id + 1, method, input: {} });
    await expect.poll(() => contexts).toHaveLength(id + 1);
  }
  const [first, second, third, fourth] = contexts;
  expect(second).toBe(first);
  expect(new Set([first, third, fourth]).size).toBe(3);
});
