import { hkdf } from "@noble/hashes/hkdf.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { type Address, type Hex, isAddressEqual } from "viem";
import { type LocalAccount, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { env } from "@/lib/env";
import { ApiError } from "@/lib/errors";
import { toHex, utf8 } from "@/lib/ledger/crypto/bytes";
import type { ChainId } from "@/lib/network";
import { anchorAccount } from "./anchor-account";
import { chainEnv } from "./clients";

/** The position of the local faucet among the relayers. */
export const FAUCET_POSITION = -1;
/** Of the account that anchors the audit log and sends nothing else: its n-th transaction is the n-th anchor. */
export const ANCHOR_POSITION = -2;

/**
 * Of the accounts that carry payments, on each chain (`RELAYERS`). Each keeps its transactions in order; several keep
 * strangers from waiting for each other.
 */
export const relayerPositions = (): number[] => [...Array(env().relayers).keys()];

/** What sends transactions: a key of this process, or one that a KMS keeps. */
export type Signer = Pick<LocalAccount, "address" | "signTransaction">;

const known = new WeakMap<Uint8Array, Map<string, PrivateKeyAccount>>();

function privateKeyOf(seed: Uint8Array, chainId: ChainId, position: number): Hex {
  if (position === FAUCET_POSITION) {
    const { faucetKey } = env();
    if (!chainEnv(chainId).local || !faucetKey) throw new Error("only a local chain has a faucet");
    return faucetKey;
  }
  // 256 uniform bits are a valid secp256k1 key but for a chance of 2^-128.
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

/** The account that pays gas at a position: HKDF(RELAYER_SEED, chain, position). It has no authority over any money. */
export function relayerAccount(chainId: ChainId, position: number): Signer {
  const anchor = position === ANCHOR_POSITION ? anchorAccount() : undefined;
  return anchor ?? accountOf(env().relayerSeed, chainId, position);
}

/**
 * The one at a position of the present seed, then that of the previous one, while there is one. An anchoring account of a
 * KMS comes before both.
 */
export function relayerAccounts(chainId: ChainId, position: number): Signer[] {
  const { relayerSeed, relayerSeedPrevious: previous } = env();
  const isBoth = previous !== undefined && position !== FAUCET_POSITION;
  const ofSeeds = (isBoth ? [relayerSeed, previous] : [relayerSeed]).map((seed) => accountOf(seed, chainId, position));
  const anchor = position === ANCHOR_POSITION ? anchorAccount() : undefined;
  return anchor ? [anchor, ...ofSeeds] : ofSeeds;
}

/**
 * The account that carries an operation, as the database has it: of the present seed or, what an exchanged one has under
 * way, of the previous. Undefined where this process has neither: others do what is left to do.
 */
export function signerAt(chainId: ChainId, position: number, address: Address): Signer | undefined {
  return relayerAccounts(chainId, position).find((account) => isAddressEqual(account.address, address));
}

/** Addresses that take new operations: those of the present seed, in lower case. */
export function carriers(chainId: ChainId): Address[] {
  return relayerPositions().map((position) => lower(relayerAccount(chainId, position).address));
}

const lower = (address: Address) => address.toLowerCase() as Address;

/**
 * Refuses addresses that send our transactions as anything that signs: the ledger takes the sender of a call for its
 * signer, so that a relayer would have a say in whatever it carries.
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
