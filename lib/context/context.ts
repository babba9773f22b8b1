import type { Address } from "viem";
import type { Tx } from "@/db/client";
import type { KeyScope } from "@/lib/key-scopes";
import type { ChainId, Network } from "@/lib/network";

/** An account as a request acts for it. `rootId`, `rootAddress` are the owner's of an agent, else the account's own. */
export interface ContextAccount {
  id: string;
  /** Lower case, without `@`. */
  handle: string;
  /** Lower case. */
  address: Address;
  type: "personal" | "business" | "agent";
  rootId: string;
  /** Lower case. */
  rootAddress: Address;
  createdAt: Date;
}

/** What an API key opens: s of an account, or s_i of the one agent it is bound to. 32 bytes each. */
export interface UnwrappedSecret {
  secret: Uint8Array;
  heldPublicKey: Uint8Array;
  /** Version of the budget secret the key was created with. */
  secretVersion: number;
}

interface CommonContext {
  network: Network;
  chainId: ChainId;
  account: ContextAccount;
  requestId: string;
  /** IP address the request came from; null outside HTTP. */
  clientAddress: string | null;
}

/** A `/v1` request with an API key. The key's own text never leaves lib/auth. */
export interface KeyContext extends CommonContext {
  actor: "key";
  keyId: string;
  /** What the key is narrowed to; null: everything. The route compares it with its own scope. */
  scopes: readonly KeyScope[] | null;
  /** Set: a key created for one schedule, which reaches that schedule alone. */
  scheduleId?: string;
  /**
   * Opens the wrap. Called by a plain payment, an approval, an agent's registration, and a change of its policy, pause
   * included, only (docs/protocol.md section 6); throws `key_forbidden` for a key that wraps nothing (strict mode). The
   * caller wipes the secret.
   *
   * @param tx the transaction it is called in, if any
   */
  unwrap(tx?: Tx): Promise<UnwrappedSecret>;
  /** The `Idempotency-Key` of a request that honours one. */
  idempotencyKey?: string;
  /** Opens the flag wrap alone, for the balances route; null for a key without one. */
  unwrapFlagKey(): Promise<Uint8Array | null>;
}

/**
 * An `/api` request with a wallet's session: the account's owner at a device that holds its keys. With `?agent=` the
 * account is one of the owner's agents.
 */
export interface SessionContext extends CommonContext {
  actor: "session";
  sessionId: string;
}

export type Context = KeyContext | SessionContext;

/**
 * A payment that its payer has proven and signed, brought by anyone who has it: no one is signed in. Its signature authorizes
 * this payment, and nothing else can be done with it.
 */
export interface DocumentContext extends CommonContext {
  actor: "document";
}

/** For whom a prepared payment is relayed. */
export type RelayContext = Context | DocumentContext;

/**
 * Runs inside the transaction of the change itself, last before it commits, with what the verb is about to return:
 * an `Idempotency-Key` is completed there, so that a crash leaves either both or neither.
 */
export type BeforeCommit<T> = (tx: Tx, result: T) => Promise<void>;
