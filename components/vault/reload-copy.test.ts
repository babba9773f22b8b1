import { x25519 } from "@noble/curves/ed25519.js";
import type { Address } from "viem";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ReloadRecord } from "@/components/api/browser/reload-store";
import { toHex } from "@/lib/ledger/crypto/bytes";
import { HalcyonError } from "@/sdk/api/errors";
import type { Context } from "@/sdk/context/context";
import { IDLE_MS } from "./idle-lock";
import { ReloadCopy } from "./reload-copy";

const owner = { network: "test", address: `0x${"a1".repeat(20)}` as Address } as const;
const secret = new Uint8Array(32).fill(7);

/** What the page showed of the account's balances. */
const shown = {
  at: Date.parse("2026-11-30T17:13:00Z"),
  funds: { assets: [{ asset: "USDG", decimals: 6, error: { code: "internal", message: "1234.567891" } }], agents: [] },
};

/** A browser's store with one account's record. */
const kept: { record?: ReloadRecord } = {};
const store = {
  read: async () => kept.record,
  write: async (record: ReloadRecord) => {
    kept.record = record;
  },
  delete: async () => {
    kept.record = undefined;
  },
};

/** A session with its share of each window, and the viewing key that the ledger has for the account. */
function session(share: string, registered = toHex(x25519.getPublicKey(secret))): Context {
  const get = async (_: string, { window = 100 }: { window?: number }) => ({ window, share: `0x${share.repeat(32)}` });
  return {
    session: async () => ({ get }),
    chain: async () => ({ viewingKey: async () => registered }),
    scope: async () => ({}),
  } as unknown as Context;
}

const newCopy = () => new ReloadCopy(store);

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  kept.record = undefined;
  await newCopy().keep(owner, session("01"), secret, Date.now());
});
afterEach(() => {
  vi.useRealTimers();
});

test("what is kept holds no key and no balance in clear, under a key that no script can read, and opens for the same session", async () => {
  const copy = newCopy();
  await copy.keep(owner, session("01"), secret, Date.now());
  const before = (kept.record as ReloadRecord).encrypted.byteLength;
  await copy.keepFunds(shown, Date.now());
  const { key, encrypted } = kept.record as ReloadRecord;
  expect(key.extractable).toBe(false);
  await expect(crypto.subtle.exportKey("raw", key)).rejects.toThrow();
  for (const text of [secret, "1234.567891"]) expect(Buffer.from(encrypted).includes(Buffer.from(text))).toBe(false);
  // Its length does not show how many digits an amount has.
  expect(encrypted.byteLength).toBe(before);
  const opened = await newCopy().open(owner, session("01"));
  expect(opened?.viewer.viewingKey.secret).toEqual(secret);
  expect(opened?.shown).toEqual(shown);
});

test("the browser's key alone opens nothing: what it decrypts is encrypted under the session's share", async () => {
  const { key, iv, encrypted } = kept.record as ReloadRecord;
  const inner = await crypto.subtle.decrypt({ name: "AES-GCM", iv }, key, encrypted);
  expect(Buffer.from(inner).includes(Buffer.from(secret))).toBe(false);
});

test("a copy opens under the share of a service that rotates its secret, and the next one is under its new share", async () => {
  const rotating = session("03");
  const { get } = (await rotating.session()) as unknown as { get(...args: unknown[]): Promise<{ share: string }> };
  const other_share = `0x${"01".repeat(32)}`;
  const both = {
    ...rotating,
    session: async () => ({ get: async (...args: unknown[]) => ({ ...(await get(...args)), other_share }) }),
  };
  const opened = await newCopy().open(owner, both as unknown as Context);
  expect(opened?.viewer.viewingKey.secret).toEqual(secret);
  expect((await newCopy().open(owner, session("03")))?.viewer.viewingKey.secret).toEqual(secret);
});

test("another session opens nothing, and the copy goes", async () => {
  await expect(newCopy().open(owner, session("02"))).rejects.toThrow();
  expect(kept.record).toBeUndefined();
});

test("a key that the ledger does not have for this account is not used, and goes", async () => {
  await expect(newCopy().open(owner, session("01", `0x${"22".repeat(32)}`))).rejects.toThrow("another viewing key");
  expect(kept.record).toBeUndefined();
});

test("after 15 minutes without input it is over, and so it is with a clock that was set back", async () => {
  const at = Date.now();
  const record = kept.record;
  for (const now of [at + IDLE_MS, at - 1]) {
    kept.record = record;
    vi.setSystemTime(now);
    expect(await newCopy().open(owner, session("01"))).toBeNull();
    expect(kept.record).toBeUndefined();
  }
});

test("without a response of the service it stays for the next try", async () => {
  const silent = { ...session("01"), session: () => Promise.reject(new HalcyonError("unavailable", "No response.")) };
  await expect(newCopy().open(owner, silent as unknown as Context)).rejects.toThrow("No response");
  expect((await newCopy().open(owner, session("01")))?.viewer.account).toBe(owner.address);
});

test("while the chain is silent, what was shown is known at once, no key is used, and the copy stays", async () => {
  const copy = newCopy();
  await copy.keep(owner, session("01"), secret, Date.now());
  await copy.keepFunds(shown, Date.now());
  const record = kept.record;
  const away = { ...session("01"), chain: () => Promise.reject(new HalcyonError("unavailable", "No node.")) };
  const known = vi.fn();
  await expect(newCopy().open(owner, away as unknown as Context, known)).rejects.toThrow("No node");
  expect(known).toHaveBeenCalledWith({ shown, lastInput: record?.lastInput });
  expect(kept.record).toBe(record);
});

test("input keeps it, with a new key and share every few minutes", async () => {
  const copy = newCopy();
  await copy.keep(owner, session("01"), secret, Date.now());
  const first = kept.record?.key;
  vi.setSystemTime(Date.now() + 60_000);
  await copy.touch(Date.now());
  expect(kept.record).toMatchObject({ lastInput: Date.now(), key: first });
  vi.setSystemTime(Date.now() + 180_000);
  await copy.touch(Date.now());
  expect(kept.record?.lastInput).toBe(Date.now());
  expect(kept.record?.key).not.toBe(first);
});

test("balances that were shown before the copy was written are in it, and stay in the next ones", async () => {
  const copy = newCopy();
  const writing = copy.keep(owner, session("01"), secret, Date.now());
  await Promise.all([copy.keepFunds(shown, Date.now()), writing]);
  vi.setSystemTime(Date.now() + 200_000);
  await copy.touch(Date.now());
  expect((await newCopy().open(owner, session("01")))?.shown).toEqual(shown);
  // What a page reads after a reload outlives the next reload too.
  expect((await newCopy().open(owner, session("01")))?.shown).toEqual(shown);
});

test("once it was taken away nothing writes it again, not even what had begun", async () => {
  const copy = newCopy();
  await copy.keep(owner, session("01"), secret, Date.now());
  vi.setSystemTime(Date.now() + 200_000);
  const renewing = copy.touch(Date.now());
  await copy.forget(owner);
  await renewing;
  expect(kept.record).toBeUndefined();
});
