import type { Address } from "viem";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { HalcyonError } from "@/sdk/api/errors";
import type { Wallet } from "@/sdk/chain/wallet";
import type { Context } from "@/sdk/context/context";
import type { Vault } from "@/sdk/context/vault/vault";
import { IDLE_MS } from "./idle-lock";
import { KeyStore, type Listener } from "./key-store";
import type { LaterMethods } from "./methods/methods";
import type { FromVault } from "./protocol";
import type { ReloadCopy } from "./reload-copy";

const address = `0x${"a1".repeat(20)}` as Address;
const stranger = `0x${"b2".repeat(20)}` as Address;
const owner = { network: "test", address } as const;

const close = vi.fn();
const loadMethods = vi.fn(async () => ({}) as LaterMethods);
const scope = { origin: "http://localhost", loadProver: () => Promise.reject(), loadMethods, close };
const copy = { open: vi.fn(), keep: vi.fn(), keepFunds: vi.fn(), touch: vi.fn(), forget: vi.fn(), renewNext: vi.fn() };
const context = { vault: async () => ({ viewingKey: { secret: new Uint8Array(32) } }), keepViewer: vi.fn() };
const opened = context as unknown as Context;
let keeper: KeyStore;

/** A page of the account. */
function page(): { desk: Listener; said: FromVault[] } {
  const said: FromVault[] = [];
  const desk: Listener = { say: (message) => said.push(message) };
  keeper.admit(owner, desk);
  return { desk, said };
}
const powers = (said: FromVault[]) => said.map((each) => (each.kind === "state" ? each.power : each.kind));

beforeEach(() => {
  vi.useFakeTimers();
  vi.clearAllMocks();
  for (const each of Object.values(copy)) each.mockResolvedValue(undefined);
  keeper = new KeyStore(scope, () => copy as unknown as ReloadCopy);
});
afterEach(() => {
  vi.useRealTimers();
});

test("one page's unlock opens the account for all of its pages, and a lock of one ends it for all", async () => {
  const [first, second] = [page(), page()];
  await keeper.opened(opened);
  expect([powers(first.said), powers(second.said)]).toEqual([["unlocked"], ["unlocked"]]);
  await keeper.lock();
  expect([first.said.at(-1), second.said.at(-1)]).toEqual([{ kind: "ended" }, { kind: "ended" }]);
  expect(copy.forget).toHaveBeenCalledWith(owner);
  expect(close).toHaveBeenCalledOnce();
  // A page that arrives during the lock gets the message too.
  expect(powers(page().said)).toEqual(["ended"]);
});

test("someone who gives up leaves another page's unlock alone; the last one leaves nothing behind", async () => {
  page();
  keeper.contextFor(owner, {} as Wallet, undefined).keepVault({} as Vault);
  const holdsKeys = () => (keeper as unknown as { made: Map<string, unknown> }).made.has("vault");
  const [first, second] = [keeper.beginOpening(), keeper.beginOpening()];
  first();
  keeper.forgetKeys();
  expect(holdsKeys()).toBe(true);
  second();
  keeper.forgetKeys();
  expect(holdsKeys()).toBe(false);
});

test("an unlock that ends after a lock opens nothing", async () => {
  const { said } = page();
  await keeper.lock();
  await keeper.opened(opened);
  expect(powers(said)).toEqual(["ended"]);
  expect(copy.keep).not.toHaveBeenCalled();
});

test("a page of another account, or of the other network, is not let in", async () => {
  page();
  await keeper.opened(opened);
  for (const other of [
    { network: "test", address: stranger },
    { network: "live", address },
  ] as const) {
    const said: FromVault[] = [];
    expect(keeper.admit(other, { say: (message) => said.push(message) })).toBe(false);
    expect(powers(said)).toEqual(["ended"]);
  }
});

test("with the last page the keys go: the next one reads what may be read after a reload, and no more", async () => {
  const before = page();
  await keeper.opened(opened);
  keeper.dismiss(before.desk);
  const after = page();
  copy.open.mockResolvedValue({ viewer: {}, lastInput: Date.now() });
  await keeper.restore(opened);
  expect(powers(after.said)).toEqual(["reading"]);
});

test("balances that a page shows are there for the next page and after a reload, as sums, until a lock", async () => {
  const holding = {
    asset: "USDG",
    decimals: 6,
    available: "5",
    notes: ["2"],
    notesTotal: "2",
    deposited: "0",
    total: "7",
  };
  const funds = { assets: [{ ...holding, unreadable: 0, more: false, moving: false }], agents: [] };
  const before = page();
  keeper.fundsShown(funds);
  expect(copy.keepFunds).not.toHaveBeenCalled();
  await keeper.opened(opened);
  keeper.fundsShown(funds);
  const sums = { at: Date.now(), funds: { ...funds, assets: [{ ...funds.assets[0], notes: [] }] } };
  expect(copy.keepFunds).toHaveBeenCalledWith(sums, Date.now());
  const second = page();
  await keeper.restore(opened);
  expect(second.said.at(-1)).toMatchObject({ power: "unlocked", shown: sums });
  for (const { desk } of [before, second]) keeper.dismiss(desk);
  const after = page();
  keeper.tell(after.desk);
  expect(after.said.at(-1)).not.toHaveProperty("shown");
  copy.open.mockResolvedValue({ viewer: {}, shown: sums, lastInput: Date.now() });
  await keeper.restore(opened);
  expect(after.said.at(-1)).toMatchObject({ power: "reading", shown: sums });
});

test("while the chain is silent a page shows the balances of before and reads nothing else, until the chain responds", async () => {
  const shown = { at: 5, funds: { assets: [], agents: [] } };
  const lastInput = Date.now();
  const silent = (_: unknown, __: unknown, known: (copy: object) => void) => {
    known({ shown, lastInput });
    return Promise.reject(new HalcyonError("unavailable", "No node."));
  };
  copy.open.mockImplementation(silent);
  const { said } = page();
  await keeper.restore(opened);
  expect(said.at(-1)).toMatchObject({ power: "showing", shown });
  expect(context.keepViewer).not.toHaveBeenCalled();
  copy.open.mockResolvedValue({ viewer: {}, shown, lastInput });
  await vi.advanceTimersByTimeAsync(5_000);
  expect(said.at(-1)).toMatchObject({ power: "reading", shown });
});

test("a chain that takes long does not hold the balances of before back; a key that it does not know takes them away", async () => {
  let refuse = (_: Error) => {};
  copy.open.mockImplementation((_: unknown, __: unknown, known: (copy: object) => void) => {
    known({ shown: { at: 5, funds: { assets: [], agents: [] } }, lastInput: Date.now() });
    return new Promise((_, reject) => {
      refuse = reject;
    });
  });
  const { said } = page();
  const restored = keeper.restore(opened);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(powers(said)).toEqual(["showing"]);
  refuse(new HalcyonError("invalid_request", "another viewing key"));
  await restored;
  expect(said.at(-1)).toMatchObject({ power: "locked" });
  expect(said.at(-1)).not.toHaveProperty("shown");
});

test("it hears itself of a lock, of a sign-out and of another account, also when every page is frozen", async () => {
  for (const message of [{ kind: "lock" }, { kind: "signed-out" }, { kind: "signed-in", address: stranger }] as const) {
    close.mockClear();
    keeper = new KeyStore(scope, () => copy as unknown as ReloadCopy);
    page();
    await keeper.opened(opened);
    keeper.hear(message);
    await vi.waitFor(() => expect(close, message.kind).toHaveBeenCalledOnce(), { timeout: 30_000 });
  }
});

test("the same wallet's new session keeps it open, and renews what may be read after a reload", async () => {
  page();
  await keeper.opened(opened);
  keeper.hear({ kind: "signed-in", address });
  expect(close).not.toHaveBeenCalled();
  expect(copy.renewNext).toHaveBeenCalledOnce();
});

test("15 minutes without input in any page lock it, and so does a clock that was set back", async () => {
  for (const later of [IDLE_MS, -3_600_000]) {
    close.mockClear();
    keeper = new KeyStore(scope, () => copy as unknown as ReloadCopy);
    page();
    await keeper.opened(opened);
    vi.setSystemTime(Date.now() + later);
    // Input after the time-out comes too late.
    keeper.touch();
    await vi.waitFor(() => expect(close).toHaveBeenCalledOnce(), { timeout: 30_000 });
    expect(copy.touch).not.toHaveBeenCalled();
  }
});

test("the later methods are loaded once nothing has run for a second, and again after a failure", async () => {
  page();
  const first = keeper.beginRun();
  await keeper.opened(opened);
  first();
  vi.advanceTimersByTime(900);
  const second = keeper.beginRun();
  vi.advanceTimersByTime(5_000);
  expect(loadMethods).not.toHaveBeenCalled();
  loadMethods.mockRejectedValueOnce(new Error("no connection"));
  second();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(loadMethods).toHaveBeenCalledTimes(1);
  await keeper.laterMethods();
  await keeper.laterMethods();
  expect(loadMethods).toHaveBeenCalledTimes(2);
});
