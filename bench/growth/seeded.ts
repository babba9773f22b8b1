import { createHash } from "node:crypto";
import type { Address, Hex } from "viem";
import type { ContextAccount, KeyContext, SessionContext } from "@/lib/base/context/context";
import type { WalletContext } from "@/lib/base/context/wallet-context";
import { BUSY, OPEN, seedId } from "@/scripts/seed/seed-rows";

// What the reads are about: the busy account of a database that scripts/seed/seed-rows.ts has filled.

/** The chain of all rows. */
export const CHAIN = 46630;
/** An address for the environment, where no ledger is. */
export const LEDGER = `0x${"1".repeat(40)}`;

/** The place of a made-up row: `pg_temp.place` and `pg_temp.bytes32` of the seed. */
export const bytes32 = (n: number, tag: string): Hex => `0x${createHash("sha256").update(`${tag}${n}`).digest("hex")}`;
export const place = (n: number): Address => bytes32(n, "address").slice(0, 42) as Address;

/** A list's first page, and how the reads name rows. */
export const FIRST = { limit: 20, offset: 0 };

export const id = <P extends string>(prefix: P, n: number) => seedId(prefix, n) as `${P}${string}`;
/** The id of something that is open: a payment that waits, a delivery that is due. */
export const open = <P extends string>(prefix: P) => id(prefix, OPEN + 1);

const account: ContextAccount = {
  id: id("acct_", BUSY),
  handle: `seed${BUSY}`,
  address: place(BUSY),
  type: "business",
  rootId: id("acct_", BUSY),
  rootAddress: place(BUSY),
  createdAt: new Date(0),
};

const common = { network: "test", chainId: CHAIN, account, requestId: "req_bench", clientAddress: null } as const;

/** The busy account's session. */
export const ctx: SessionContext = { ...common, actor: "session", sessionId: "bench" };

/** One of the busy account's API keys. */
export const keyCtx: KeyContext = {
  ...common,
  actor: "key",
  keyId: id("key_", BUSY),
  scopes: null,
  unwrap: async () => ({
    secret: new Uint8Array(32),
    authority: new Uint8Array(32),
    heldPublicKey: new Uint8Array(32),
    secretVersion: 1,
  }),
  unwrapFlagKey: async () => null,
};

/** The busy account's wallet. */
export const walletCtx: WalletContext = {
  ...common,
  actor: "wallet",
  address: account.address,
  sessionId: "bench",
  sessionEndsAt: new Date(Date.now() + 86_400_000),
};

/** Rows of the busy account in the middle of its history. */
export interface Middle {
  /** How many transfers there are. */
  transfers: number;
  accounts: number;
  /** An even number: a row of the busy account. */
  even: number;
  /** A multiple of 40, at which the kinds of transfers repeat (`payments` of the seed). */
  forty: number;
}

export const middleOf = (transfers: number): Middle => ({
  transfers,
  accounts: Math.ceil(transfers / 5),
  even: Math.floor(transfers / 4) * 2,
  forty: Math.floor(transfers / 80) * 40,
});
