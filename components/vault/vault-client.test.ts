import { beforeEach, expect, test, vi } from "vitest";
import type { PendingPayment } from "@/sdk/payments/attempts/pending-payment";
import { VaultLocked } from "./errors";
import type { FromVault, ToVault, VaultPower } from "./protocol";
import { VaultClient } from "./vault-client";
import type { VaultPort } from "./vault-port";

/** A worker whose messages the test sends. */
class Port implements VaultPort {
  readonly sent: ToVault[] = [];
  ended = false;
  left = false;
  onmessage: VaultPort["onmessage"] = null;
  onerror: VaultPort["onerror"] = null;
  /** Reports its state without waiting for the page. */
  constructor(private readonly power: VaultPower = "locked") {}
  postMessage(message: ToVault) {
    this.sent.push(message);
    if (message.kind === "start" && !silent) queueMicrotask(() => this.can(this.power));
    if (message.kind === "lock") this.ended = true;
  }
  close() {
    this.left = true;
  }
  can(power: VaultPower) {
    this.say({ kind: "state", power, lastInput: 0, instance: "one" });
  }
  say(data: FromVault) {
    this.onmessage?.({ data } as MessageEvent<FromVault>);
  }
  /** Finishes the newest run. */
  finish(output?: unknown) {
    const run = this.sent.findLast((message) => message.kind === "run");
    if (run?.kind === "run" && run.method === "unlock") this.can("unlocked");
    this.say({ kind: "result", id: run?.kind === "run" ? run.id : 0, output });
  }
}

let ports: Port[];
let client: VaultClient;
let power: VaultPower;
/** Whether the worker never starts. */
let silent: boolean;
let loads: () => Promise<boolean>;
/** Ends the worker without a message, as a browser that needs memory does. */
let kill: (ended: boolean) => void;
const signedOut = vi.fn();
const port = () => ports[ports.length - 1] as Port;

beforeEach(() => {
  ports = [];
  power = "locked";
  silent = false;
  loads = async () => true;
  signedOut.mockClear();
  const owner = { network: "test", address: `0x${"a1".repeat(20)}` } as const;
  const open = () => {
    ports.push(new Port(power));
    return port();
  };
  const ended = () =>
    new Promise<boolean>((resolve) => {
      kill = resolve;
    });
  client = new VaultClient(owner, { open, ended, loads: () => loads() }, signedOut);
});

/** Waits until the page has requested this many runs from the worker. */
const asked = (runs: number) =>
  vi.waitFor(
    () => {
      const sent = ports.findLast(({ left }) => !left)?.sent ?? [];
      expect(sent.filter(({ kind }) => kind === "run")).toHaveLength(runs);
    },
    { timeout: 30_000 },
  );

async function unlocked(): Promise<void> {
  const opened = client.open();
  await asked(1);
  port().finish();
  await opened;
}

test("what needs keys asks to unlock first, once for all who wait, and continues", async () => {
  const first = client.run("funds", {});
  const second = client.run("funds", { agents: true });
  expect(client.snapshot()).toMatchObject({ status: "locked", prompting: true });
  await unlocked();
  expect(client.snapshot()).toMatchObject({ status: "unlocked", prompting: false });
  await vi.waitFor(() => expect(port().sent.filter(({ kind }) => kind === "run")).toHaveLength(3), { timeout: 30_000 });
  port().say({ kind: "result", id: 2, output: "one" });
  port().say({ kind: "result", id: 3, output: "two" });
  expect(await Promise.all([first, second])).toEqual(["one", "two"]);
  expect(ports).toHaveLength(1);
});

test("giving up fails with VaultLocked, and nothing was started", async () => {
  const run = client.run("funds", {});
  client.giveUp();
  await expect(run).rejects.toThrow(VaultLocked);
  expect(ports).toHaveLength(0);
});

test("locking ends the worker at once and rejects what it was doing", async () => {
  await unlocked();
  const run = client.run("funds", {});
  await asked(2);
  client.lock();
  await expect(run).rejects.toThrow(VaultLocked);
  expect(port().ended).toBe(true);
  expect(client.snapshot().status).toBe("locked");
  await expect(client.perform("funds", {})).rejects.toThrow(VaultLocked);
});

test.each([
  ["the browser ends its worker", () => kill(true)],
  ["someone locks here", () => client.lock()],
  ["someone locks in another tab", () => port().say({ kind: "ended" })],
  ["the page leaves it", () => client.leave()],
])("a change that is cut off may have been made, where a read has only failed: %s", async (_how, cut) => {
  await unlocked();
  const change = client.run("setGuard", { on: true }).catch((error: unknown) => error);
  const read = client.run("funds", {}).catch((error: unknown) => error);
  // Of a payment, the record that the page keeps says it.
  const payment = client.run("payScheduleRun", { schedule: "sch_1", run: "run_1" }).catch((error: unknown) => error);
  await asked(4);
  cut();
  expect(await change).toMatchObject({ mayHaveHappened: true });
  for (const failed of [await read, await payment]) expect(failed).not.toHaveProperty("mayHaveHappened");
});

test("a change that waits for an unlock has not been made", async () => {
  const change = client.run("setGuard", { on: true }).catch((error: unknown) => error);
  client.giveUp();
  expect(await change).toBeInstanceOf(VaultLocked);
  expect(await change).not.toHaveProperty("mayHaveHappened");
});

test("a worker that its browser has ended leaves no one waiting: what ran fails, and the next unlock has a new one", async () => {
  await unlocked();
  const run = client.run("funds", {});
  await asked(2);
  kill(true);
  await expect(run).rejects.toThrow("Your browser stopped the vault");
  expect(client.snapshot()).toMatchObject({ status: "locked", prompting: false });
  await unlocked();
  expect(ports).toHaveLength(2);
});

test("where the browser does not say whether a worker has ended, it is taken for running", async () => {
  await unlocked();
  kill(false);
  const run = client.run("funds", {});
  await asked(2);
  port().finish("funds");
  expect(await run).toBe("funds");
});

test("an unlock that fails leaves no worker behind and can be tried again", async () => {
  const failed = client.open();
  await asked(1);
  port().say({ kind: "error", id: 1, error: { code: "internal", message: "The account key does not open." } });
  await expect(failed).rejects.toThrow("does not open");
  expect(client.snapshot().status).toBe("locked");
  client.giveUp();
  expect(port().left).toBe(true);
  await unlocked();
  expect(client.snapshot().status).toBe("unlocked");
});

test("signatures are asked for one after the other and reach the worker that asked", async () => {
  const opened = client.open();
  await asked(1);
  const request = (message: string) => ({ kind: "message", message }) as const;
  port().say({ kind: "sign-request", id: 1, run: 1, request: request("a") });
  port().say({ kind: "sign-request", id: 2, run: 1, request: request("b") });
  expect(client.snapshot().request).toEqual({
    id: 1,
    ordinal: 1,
    run: 1,
    again: false,
    rotates: false,
    signature: request("a"),
  });
  client.signed(1, "0x01");
  expect(client.snapshot().request).toMatchObject({ id: 2, again: true });
  client.refused(2, { code: "invalid_request", message: "no" });
  expect(client.snapshot().request).toBeNull();
  expect(port().sent.filter(({ kind }) => kind.startsWith("sign-"))).toEqual([
    { kind: "sign-answer", id: 1, signature: "0x01" },
    { kind: "sign-refusal", id: 2, error: { code: "invalid_request", message: "no" } },
  ]);
  port().finish();
  await opened;
});

test("what a payout's next signature pays is known when the wallet is asked", async () => {
  await unlocked();
  const known: unknown[] = [];
  const paying = client.run("payPayout", { id: "po_1" }, { onBatch: (batch) => known.push(batch) });
  await asked(2);
  const id = port().sent.findLast((message) => message.kind === "run")?.id ?? 0;
  const batch = { batch: 1, batches: 2, asset: "USDG", payments: [{ to: "@bob", amount: "1.5" }] };
  port().say({ kind: "batch", id, batch });
  port().say({ kind: "sign-request", id: 1, run: id, request: { kind: "message", message: "a" } });
  expect([known, client.snapshot().request?.id]).toEqual([[batch], 1]);
  port().finish({});
  await paying;
});

test("a run that is no longer wanted is cancelled in the worker", async () => {
  await unlocked();
  const controller = new AbortController();
  const run = client.run("funds", {}, { signal: controller.signal });
  await asked(2);
  controller.abort(new Error("no longer wanted"));
  await expect(run).rejects.toThrow("no longer wanted");
  expect(port().sent.at(-1)).toEqual({ kind: "cancel", id: 2 });
});

test("after a reload payments are read without asking, and what needs a key asks to unlock first", async () => {
  power = "reading";
  await client.resume();
  expect(client.snapshot().status).toBe("reading");
  const read = client.run("moved", { key: "key_1" });
  await asked(1);
  port().finish("sum");
  expect(await read).toBe("sum");
  await expect(client.perform("funds", {})).rejects.toThrow(VaultLocked);
  const pay = client.run("funds", {});
  expect(client.snapshot().prompting).toBe(true);
  const opening = client.open();
  await asked(2);
  // What can be read stays on screen during the unlock.
  expect(client.snapshot()).toMatchObject({ status: "unlocking", reads: true });
  port().finish();
  await opening;
  await asked(3);
  port().finish("funds");
  expect(await pay).toBe("funds");
});

test("a page that finds nothing open lets its worker go, and one that another page unlocks is unlocked", async () => {
  await client.resume();
  expect(port().left).toBe(true);
  power = "unlocked";
  await client.resume();
  expect(client.snapshot().status).toBe("unlocked");
  // Locking in the other page ends everything here too.
  const run = client.run("funds", {});
  await asked(1);
  port().say({ kind: "ended" });
  await expect(run).rejects.toThrow(VaultLocked);
  expect(client.snapshot().status).toBe("locked");
});

test("someone who gives up while the wallet is asked stays locked, and the wallet's signature opens nothing", async () => {
  const opened = client.open();
  await asked(1);
  const asking = port();
  asking.say({ kind: "sign-request", id: 1, run: 1, request: { kind: "message", message: "a" } });
  client.giveUp();
  await expect(opened).rejects.toThrow(VaultLocked);
  expect(client.snapshot()).toMatchObject({ status: "locked", request: null, prompting: false });
  expect(asking.left).toBe(true);
  // A refusal that came first would fail another page that waits for the same keys.
  expect(asking.sent.map(({ kind }) => kind).slice(-2)).toEqual(["cancel", "sign-refusal"]);
});

test("what the wallet decides late settles no signature that is asked for after locking and unlocking again", async () => {
  const ask = (text: string, run: number) =>
    port().say({ kind: "sign-request", id: 1, run, request: { kind: "message", message: text } });
  const first = client.open();
  await asked(1);
  ask("a", 1);
  const late = client.snapshot().request?.id ?? 0;
  client.giveUp();
  await expect(first).rejects.toThrow(VaultLocked);
  const second = client.open();
  await asked(1);
  ask("b", 2);
  const { request } = client.snapshot();
  expect(request?.id).not.toBe(late);
  client.refused(late, { code: "aborted", message: "no" });
  client.signed(late, "0x01");
  expect(client.snapshot().request).toBe(request);
  client.signed(request?.id ?? 0, "0x02");
  expect(port().sent.filter(({ kind }) => kind.startsWith("sign-"))).toEqual([
    { kind: "sign-answer", id: 1, signature: "0x02" },
  ]);
  port().finish();
  await second;
});

/** The record of a deposit of ETH, before its wallet is asked or with the hash that it named. */
const ofDeposit = (tx_hash?: `0x${string}`): PendingPayment => ({
  version: 1,
  id: "deposit-1",
  kind: "deposit",
  chain_id: 46630,
  ledger: `0x${"11".repeat(20)}`,
  account: `0x${"a1".repeat(20)}`,
  asset: `0x${"00".repeat(20)}`,
  since_block: "1",
  documents: [{ authorization: "0x01", ...(tx_hash && { tx_hash }), deadline: 0 }],
});

const askForTransaction = () => {
  const call = { to: `0x${"11".repeat(20)}`, data: "0x02", value: 7n } as const;
  port().say({ kind: "sign-request", id: 1, run: 2, request: { kind: "transaction", call, chainId: 46630 } });
};

/** Starts a deposit of ETH up to the dialog before the wallet. */
async function depositing(options: { signal?: AbortSignal } = {}) {
  await unlocked();
  const kept: PendingPayment[] = [];
  const onPending = (pending: PendingPayment) => void kept.push(pending);
  const run = client.run("deposit", { amount: "1", asset: "ETH" }, { onPending, ...options });
  const ended = run.catch((error: unknown) => error);
  await asked(2);
  port().say({ kind: "pending", id: 2, pending: ofDeposit() });
  expect(port().sent.at(-1)).toEqual({ kind: "kept", id: 2 });
  return { kept, ended };
}

test("a wallet's own transaction is on record before the wallet is asked, and not while its dialog only explains it", async () => {
  const { kept, ended } = await depositing();
  askForTransaction();
  const { request } = client.snapshot();
  expect(kept).toEqual([]);
  client.asks(request?.id ?? 0);
  expect(kept).toEqual([ofDeposit()]);
  client.lock();
  // Whatever the wallet reports by now comes too late; the record finds it.
  client.signed(request?.id ?? 0, "0x03");
  expect(await ended).toBeInstanceOf(VaultLocked);
  expect(kept).toHaveLength(1);
});

test("a transaction whose record the browser can't store is not asked for, and the hash is stored without asking", async () => {
  await unlocked();
  const onPending = vi.fn().mockImplementationOnce(() => {
    throw new DOMException("full", "QuotaExceededError");
  });
  void client.run("deposit", { amount: "1", asset: "ETH" }, { onPending }).catch(() => {});
  await asked(2);
  port().say({ kind: "pending", id: 2, pending: ofDeposit() });
  askForTransaction();
  const id = client.snapshot().request?.id ?? 0;
  expect(() => client.asks(id)).toThrow("full");
  client.asks(id);
  client.signed(id, "0x03");
  port().say({ kind: "pending", id: 2, pending: ofDeposit("0x03") });
  expect(onPending).toHaveBeenLastCalledWith(ofDeposit("0x03"));
});

test.each(["before", "after"])("a deposit cancelled %s its wallet's dialog opened is not asked for", async (when) => {
  const cancel = new AbortController();
  const { kept, ended } = await depositing({ signal: cancel.signal });
  if (when === "after") askForTransaction();
  cancel.abort(new Error("offline"));
  if (when === "before") askForTransaction();
  expect(await ended).toEqual(new Error("offline"));
  expect(client.snapshot().request).toBeNull();
  expect(port().sent.at(-1)).toMatchObject({ kind: "sign-refusal", id: 1, error: { code: "aborted" } });
  expect(kept).toEqual([]);
});

test.each(["before", "after"])(
  "an act cancelled %s its wallet's dialog opened is not asked for, nor is the next act's signature taken for it",
  async (when) => {
    await unlocked();
    const cancel = new AbortController();
    const first = client.run("makeAvailable", { total: "100" } as never, { signal: cancel.signal }).catch(() => {});
    const second = client.run("makeAvailable", { total: "20" } as never).catch(() => {});
    await asked(3);
    const ask = (id: number, run: number) =>
      port().say({ kind: "sign-request", id, run, request: { kind: "message", message: `${run}` } });
    if (when === "after") ask(1, 2);
    ask(2, 3);
    cancel.abort(new Error("cancelled"));
    if (when === "before") ask(1, 2);
    expect(client.snapshot().request?.signature).toEqual({ kind: "message", message: "3" });
    expect(port().sent.at(-1)).toMatchObject({ kind: "sign-refusal", id: 1, error: { code: "aborted" } });
    await first;
    client.lock();
    await second;
  },
);

test("a signature whose dialog can't be loaded is refused, so that its act ends and the next one can be asked for", async () => {
  await unlocked();
  const act = client.run("makeAvailable", {} as never).catch(() => {});
  await asked(2);
  port().say({ kind: "sign-request", id: 1, run: 2, request: { kind: "message", message: "a" } });
  client.notShown();
  expect(client.snapshot()).toMatchObject({ status: "unlocked", request: null });
  expect(port().sent.at(-1)).toMatchObject({ kind: "sign-refusal", id: 1, error: { code: "unavailable" } });
  client.lock();
  await act;
});

test("a transaction whose dialog can't be loaded has certainly not been sent", async () => {
  const { kept } = await depositing();
  askForTransaction();
  client.notShown();
  expect(port().sent.at(-1)).toMatchObject({ kind: "sign-refusal", id: 1, error: { code: "aborted" } });
  expect(kept).toEqual([]);
});

test("a run that fails while its signature is asked for asks no more, so that the next act's figures are not shown", async () => {
  await unlocked();
  const act = client.run("makeAvailable", {} as never).catch((error: unknown) => error);
  await asked(2);
  port().say({ kind: "sign-request", id: 1, run: 2, request: { kind: "message", message: "a" } });
  port().say({ kind: "error", id: 2, error: { code: "policy_violation", message: "no" } });
  expect(await act).toMatchObject({ code: "policy_violation" });
  expect(client.snapshot().request).toBeNull();
  expect(port().sent.at(-1)).toMatchObject({ kind: "sign-refusal", id: 1 });
});

test("a worker that its browser ends while it unlocks leaves the prompt open, which says so", async () => {
  void client.unlock();
  const opened = client.open();
  await asked(1);
  kill(true);
  await expect(opened).rejects.toThrow("Your browser stopped the vault");
  expect(client.snapshot()).toMatchObject({ status: "locked", prompting: true });
});

test("a session that has ended locks the vault and says so", async () => {
  await unlocked();
  const run = client.run("funds", {});
  await asked(2);
  port().say({ kind: "error", id: 2, error: { code: "unauthorized", message: "Sign in.", status: 401 } });
  await expect(run).rejects.toThrow("Sign in.");
  expect(client.snapshot().status).toBe("locked");
  expect(signedOut).toHaveBeenCalledOnce();
  // Later calls fail the same way, and no one is asked to unlock.
  await expect(client.run("funds", {})).rejects.toThrow("Sign in.");
  expect(await client.unlock()).toBe(false);
  expect(client.snapshot().prompting).toBe(false);
});

test("a session that ran out by itself locks nothing: a signature continues it", async () => {
  await unlocked();
  const run = client.run("funds", {});
  await asked(2);
  const error = { code: "unauthorized", message: "Sign in.", status: 401, reason: "session_expired" } as const;
  port().say({ kind: "error", id: 2, error });
  await expect(run).rejects.toThrow("Sign in.");
  expect(signedOut).toHaveBeenCalledWith(expect.objectContaining({ reason: "session_expired" }));
  expect(client.snapshot().status).toBe("unlocked");
  // Someone ended the session since.
  const again = client.run("funds", {});
  await asked(3);
  port().say({ kind: "error", id: 3, error: { ...error, reason: undefined } });
  await expect(again).rejects.toThrow("Sign in.");
  expect(client.snapshot().status).toBe("locked");
});

test("a script that can't be loaded ends the wait, says so in the prompt, and the next press tries again", async () => {
  silent = true;
  const unlocking = client.unlock();
  const opened = client.open();
  await vi.waitFor(() => expect(ports).toHaveLength(1), { timeout: 30_000 });
  port().onerror?.();
  await expect(opened).rejects.toThrow("could not be loaded. Check your connection");
  expect(client.snapshot()).toMatchObject({ status: "locked", prompting: true, loading: false });
  silent = false;
  const again = client.open();
  await vi.waitFor(() => expect(ports).toHaveLength(2), { timeout: 30_000 });
  await asked(1);
  port().finish();
  await again;
  expect(await unlocking).toBe(true);
});

test("a worker that says nothing is given up: not before its script is there, and not if it starts late", async () => {
  vi.useFakeTimers();
  silent = true;
  loads = () => new Promise((resolve) => (loaded = resolve));
  let loaded = (_: boolean) => {};
  for (const [found, words] of [
    [false, "could not be loaded"],
    [true, "does not start in this browser"],
  ] as const) {
    const opened = client.open();
    const said = expect(opened).rejects.toThrow(words);
    // A slow connection.
    await vi.advanceTimersByTimeAsync(300_000);
    expect(client.snapshot().status).toBe("unlocking");
    loaded(found);
    await vi.advanceTimersByTimeAsync(20_000);
    await said;
  }
  const late = client.open();
  await vi.advanceTimersByTimeAsync(300_000);
  loaded(true);
  await vi.advanceTimersByTimeAsync(10_000);
  port().can("locked");
  await vi.advanceTimersByTimeAsync(10);
  port().finish();
  await late;
  expect(client.snapshot().status).toBe("unlocked");
  vi.useRealTimers();
});

test("balances from before a reload are the page's while it can read amounts, and go with a lock", async () => {
  power = "reading";
  const shown = { at: 5, funds: { assets: [], agents: [] } };
  const resumed = client.resume();
  await vi.waitFor(() => expect(ports).toHaveLength(1), { timeout: 30_000 });
  port().say({ kind: "state", power: "reading", lastInput: 0, instance: "one", shown });
  await resumed;
  expect(client.snapshot()).toMatchObject({ status: "reading", shown });
  client.lock();
  expect(client.snapshot()).toMatchObject({ status: "locked", shown: null });
});

test("balances of before are the page's while the chain is silent, and nothing can be read", async () => {
  power = "showing";
  const shown = { at: 5, funds: { assets: [], agents: [] } };
  const resumed = client.resume();
  await vi.waitFor(() => expect(ports).toHaveLength(1), { timeout: 30_000 });
  port().say({ kind: "state", power: "showing", lastInput: 0, instance: "one", shown });
  await resumed;
  expect(client.snapshot()).toMatchObject({ status: "showing", reads: false, shown });
  await expect(client.perform("spending", {} as never)).rejects.toThrow(VaultLocked);
});

test("what needs the wallet alone runs while locked, without asking to unlock, and leaves no worker behind", async () => {
  const stopped = client.run("stopSigning", undefined);
  await asked(1);
  expect(client.snapshot()).toMatchObject({ status: "locked", prompting: false });
  port().finish();
  await stopped;
  expect(port().left).toBe(true);
  expect(client.snapshot().status).toBe("locked");
});
