import { hkdf } from "@noble/hashes/hkdf.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { type Address, type Hex, isAddressEqual } from "viem";
import { type LocalAccount, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { env } from "@/lib/base/env";
import { ApiError } from "@/lib/base/errors";
import type { ChainId } from "@/lib/base/network";
import { toHex, utf8 } from "@/lib/ledger/crypto/bytes";
import { anchorAccount } from "./anchor-account";
import { chainEnv } from "./clients";

/** The position of the local faucet among the relayers. */
export const FAUCET_POSITION = -1;
/**
 * The position of the account that anchors the audit log. It sends nothing else, so its n-th transaction is the n-th
 * anchor.
 */
export const ANCHOR_POSITION = -2;

/**
 * Returns the positions of the accounts that relay payments, on each chain (`RELAYERS`). Each account's transactions
 * are mined in order; with several accounts, unrelated payments don't wait for each other.
 */
export const relayerPositions = (): number[] => [...Array(env().relayers).keys()];

/** Signs transactions, with a key of this process or of a KMS. */
export type TransactionSigner = Pick<LocalAccount, "address" | "signTransaction">;

const known = new WeakMap<Uint8Array, Map<string, PrivateKeyAccount>>();

function privateKeyOf(seed: Uint8Array, chainId: ChainId, position: number): Hex {
  if (position === FAUCET_POSITION) {
    const { faucetKey } = env();
    if (!chainEnv(chainId).local || !faucetKey) throw new Error("only a local chain has a faucet");
    return faucetKey;
  }
  // 256 uniform bits are a valid secp256k1 key except with probability 2^-128.
  return toHex(hkdf(sha256, seed, undefined, utf8(`halcyon/1/relayer/${chainId}/${position}`), 32));
}

function accountOf(seed: Uint8Array, chainId: ChainId, position: number): PrivateKeyAccount {
  const name = `${chainId}/${position}`;
  const accounts = known.get(seed) ?? new Map<string, PrivateKeyAccount>();
  known.set(seed, accounts);
  let account = accounts.get(name);
  if (!account) {
    account = privateKeyToAccount(privateKeyOf(seed, chainId, position));
    accounts.set(name, account);
  }
  return account;
}

/**
 * Returns the account that pays gas at a position: HKDF(RELAYER_SEED, chain, position). It has no authority over any
 * money.
 */
export function relayerAccount(chainId: ChainId, position: number): TransactionSigner {
  const anchor = position === ANCHOR_POSITION ? anchorAccount() : undefined;
  return anchor ?? accountOf(env().relayerSeed, chainId, position);
}

/**
 * Returns the accounts at a position: that of the current seed, then that of the previous seed during a rotation. An
 * anchoring account of a KMS comes before both.
 */
export function relayerAccounts(chainId: ChainId, position: number): TransactionSigner[] {
  const { relayerSeed, relayerSeedPrevious: previous } = env();
  const isBoth = previous !== undefined && position !== FAUCET_POSITION;
  const ofSeeds = (isBoth ? [relayerSeed, previous] : [relayerSeed]).map((seed) => accountOf(seed, chainId, position));
  const anchor = position === ANCHOR_POSITION ? anchorAccount() : undefined;
  return anchor ? [anchor, ...ofSeeds] : ofSeeds;
}

/**
 * Returns the account that relays an operation, according to the database: of the current seed or, for what was under
 * way during a rotation, of the previous one. Undefined if this process has neither; then other processes handle it.
 */
export function signerAt(chainId: ChainId, position: number, address: Address): TransactionSigner | undefined {
  return relayerAccounts(chainId, position).find((account) => isAddressEqual(account.address, address));
}

/** Returns the addresses that take new operations, those of the current seed, in lower case. */
export function carriers(chainId: ChainId): Address[] {
  return relayerPositions().map((position) => lower(relayerAccount(chainId, position).address));
}

const lower = (address: Address) => address.toLowerCase() as Address;

/**
 * Refuses addresses of relayers as signers. The ledger takes the sender of a call for a signer, so such a relayer would
 * have authority in everything it relays.
 *
 * @throws ApiError `invalid_request` naming `param`
 */
export function refuseRelayer(chainId: ChainId, addresses: readonly Address[], param: string): void {
  const positions = [...(chainEnv(chainId).local ? [FAUCET_POSITION] : []), ANCHOR_POSITION, ...relayerPositions()];
  const ours = new Set(
    positions.flatMap((position) => relayerAccounts(chainId, position).map(({ address }) => lower(address))),
  );
  if (!addresses.some((address) => ours.has(lower(address)))) return;
  throw new ApiError("invalid_request", "This address sends the service's transactions. Use another key.", { param });
}
