import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test as base, expect } from "@playwright/test";
import type { Hex } from "viem";
import type { Halcyon } from "@/sdk/client";
import { newAccount, productURL } from "../account";
import type { Caller } from "../halcyon";
import { EventStream } from "./event-stream";
import { withKey } from "./http";
import { WalletSession } from "./wallet-session";

/** An enrolled account with money, an API key and a session. */
export interface Party {
  caller: Caller;
  /** A client with the wallet. */
  client: Halcyon;
  walletKey: Hex;
  address: string;
  handle: string;
  accountId: string;
  apiKey: string;
  keyId: string;
  session: WalletSession;
  call: ReturnType<typeof withKey>;
}

export { productURL };

let counter = 0;
export const uniqueHandle = (name: string) => `${name}-${process.pid}-${Date.now().toString(36)}-${counter++}`;

/** Signs up and verifies an account, puts `available` USDG into its available balance and creates an API key. */
export async function newParty(
  playwright: Parameters<typeof WalletSession.open>[0],
  name: string,
  available: string | undefined,
  handle = uniqueHandle(name),
): Promise<Party> {
  const account = await newAccount(handle, { available });
  const { walletKey, apiKey } = account;
  return {
    ...account,
    caller: { url: productURL, walletKey, apiKey },
    session: await WalletSession.open(playwright, productURL, { key: walletKey }),
    call: withKey(productURL, apiKey),
  };
}

/** Returns everything about an account that a refused request could have changed, as its owner sees it. */
export async function stateOf(party: Party): Promise<unknown> {
  const [transfers, ledger, keys] = await Promise.all(
    ["/v1/transfers?limit=100", "/api/ledger?asset=USDG", "/api/keys"].map(async (path) => {
      const response = await party.session.get(path);
      expect(response.status()).toBe(200);
      return response.json();
    }),
  );
  const { nonce, deposited, notes, available } = ledger;
  return {
    transfers: transfers.transfers.map(({ transfer_id }: { transfer_id: string }) => transfer_id),
    ledger: { nonce, deposited, notes, commitment: available.newest_commitment },
    keys: keys.keys.map(({ key_id, revoked_at }: { key_id: string; revoked_at: string | null }) => [
      key_id,
      revoked_at,
    ]),
  };
}

/** Waits until a transfer is no longer `pending`. */
export async function settled(party: Party, id: string): Promise<Record<string, unknown>> {
  let last: Record<string, unknown> = {};
  await expect
    .poll(async () => {
      const response = await party.call("GET", `/v1/transfers/${id}`);
      last = response.json;
      return response.status === 200 ? last.status : response.text;
    })
    .toMatch(/^(confirmed|failed)$/);
  return last;
}

/** Opens a party's stream at a process, and waits until it is ready. */
export async function openStream(party: Party, url: string, lastEventId?: string): Promise<EventStream> {
  const stream = await EventStream.open(party.session, url, lastEventId);
  expect(stream.status).toBe(200);
  await expect.poll(() => stream.messages[0]?.event).toBe("ready");
  return stream;
}

/** What the messages of a stream are about, of one type. */
export const targets = (stream: EventStream, type: string): unknown[] =>
  stream.messages.filter(({ data }) => data.type === type).map(({ data }) => data.target);

interface PerWorker {
  /** Has an available balance of 1,000 USDG. */
  alice: Party;
  /** Enrolled. Has nothing. */
  bob: Party;
  /** Where this worker's clients of the SDK store their pins. */
  configDir: string;
}

/**
 * What a worker has once, created on demand. All tests use these fixtures, and no others of a worker: Playwright starts
 * another process, with a browser and accounts of its own, for a test that has other ones.
 */
export const test = base.extend<object, PerWorker>({
  alice: [
    async ({ playwright }, use) => use(await newParty(playwright, "alice", "1000")),
    { scope: "worker", timeout: 180_000 },
  ],
  bob: [
    async ({ playwright }, use) => use(await newParty(playwright, "bob", undefined)),
    { scope: "worker", timeout: 180_000 },
  ],
  configDir: [
    async ({ playwright: _ }, use) => {
      const folder = await mkdtemp(path.join(tmpdir(), "halcyon-e2e-"));
      await use(folder);
      await rm(folder, { recursive: true, force: true });
    },
    { scope: "worker" },
  ],
});

export { expect };
