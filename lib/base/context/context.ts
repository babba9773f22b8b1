import type { Address } from "viem";
import type { Tx } from "@/db/client";
import type { KeyScope } from "@/lib/base/key-scopes";
import type { ChainId, Network } from "@/lib/base/network";

/** The account that a request acts for. `rootId` and `rootAddress` are the owner's if it is an agent, else its own. */
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

/**
 * What an API key decrypts: both halves of the account secret, or those of the one agent that it is bound to. 32 bytes
 * each.
 */
export interface UnwrappedSecret {
  /** Knowledge k or k_i, which decrypts. */
  secret: Uint8Array;
  /** Authority a or a_i, which signs. */
  authority: Uint8Array;
  heldPublicKey: Uint8Array;
  /** Version of the account secret with which the key was created. */
  secretVersion: number;
}

/** What the service has of a key whose holder builds payments with a home key. */
export interface BlindKey {
  /** The public half of its request key, by which each payment is signed. */
  requestKey: Uint8Array;
  /** SHA-256 of the key. */
  keyHash: Uint8Array;
  /** Version of the account secret with which the key was created. */
  secretVersion: number;
  /**
   * Decrypts the authority that signs payments, a. The caller wipes it after use.
   *
   * @param tx the transaction that signs
   * @throws ApiError `unauthorized` if the key has been revoked, `key_forbidden` if it wraps none any more
   */
  decryptAuthority(tx: Tx): Promise<Uint8Array>;
}

interface CommonContext {
  network: Network;
  chainId: ChainId;
  account: ContextAccount;
  requestId: string;
  /** The IP address the request came from; null outside HTTP. */
  clientAddress: string | null;
}

/** A request with an API key. The key's own text never leaves lib/http/auth. */
export interface KeyContext extends CommonContext {
  actor: "key";
  keyId: string;
  /** The scopes the key is narrowed to; null if it may do everything. The route checks its own scope against them. */
  scopes: readonly KeyScope[] | null;
  /** Set for a blind key. */
  blind?: BlindKey;
  /** Set if the key was created for one schedule. It can then use that schedule only. */
  scheduleId?: string;
  /**
   * Decrypts the key's copy of the secret. Only these may call it: a server-signed payment, an approval, registering an
   * agent, and changing its policy or pausing it (docs/protocol.md section 6). The caller wipes the secret after use.
   *
   * @param tx the transaction it is called in, if any
   * @throws ApiError `key_forbidden` if the key carries no copy (a blind key, or strict mode)
   */
  unwrap(tx?: Tx): Promise<UnwrappedSecret>;
  /** The `Idempotency-Key` header, for a route that supports it. */
  idempotencyKey?: string;
  /** Decrypts only the key's copy of the flag key, for the balances route; returns null if the key carries none. */
  unwrapFlagKey(): Promise<Uint8Array | null>;
}

/**
 * A request with a wallet's session: the account's owner, on a device that holds the account's keys. With
 * `?agent=` the account is one of the owner's agents.
 */
export interface SessionContext extends CommonContext {
  actor: "session";
  sessionId: string;
}

export type Context = KeyContext | SessionContext;

/**
 * A payment that its payer has proven and signed. Anyone may submit it and no one is signed in: its signature
 * authorizes this payment and nothing else.
 */
export interface DocumentContext extends CommonContext {
  actor: "document";
}

/** On whose behalf a client-signed payment is relayed. */
export type RelayContext = Context | DocumentContext;

/**
 * A callback that runs in the transaction of the change, as the last step before it commits, with what the verb is
 * about to return. It completes the `Idempotency-Key`, so that a crash leaves either both or neither.
 */
export type BeforeCommit<T> = (tx: Tx, result: T) => Promise<void>;
