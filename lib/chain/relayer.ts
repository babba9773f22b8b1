import { hkdf } from "@noble/hashes/hkdf.js";
import { sha256 } from "@noble/hashes/sha2.js";
import type { Address, Hex } from "viem";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { env } from "@/lib/env";
import { ApiError } from "@/lib/errors";
import { toHex, utf8 } from "@/lib/ledger/crypto/bytes";
import type { ChainId } from "@/lib/network";
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

const accounts = new Map<string, PrivateKeyAccount>();

function privateKeyOf(chainId: ChainId, position: number): Hex {
  if (position === FAUCET_POSITION) {
    const { faucetKey } = env();
    if (!chainEnv(chainId).local || !faucetKey) throw new Error("only a local chain has a faucet");
    return faucetKey;
  }
  // 256 uniform bits are a valid secp256k1 key but for a chance of 2^-128.
  return toHex(hkdf(sha256, env().relayerSeed, undefined, utf8(`halcyon/1/relayer/${chainId}/${position}`), 32));
}

/** The account that pays gas at a position: HKDF(RELAYER_SEED, chain, position). It has no authority over any money. */
export function relayerAccount(chainId: ChainId, position: number): PrivateKeyAccount {
  const name = `${chainId}/${position}`;
  let account = accounts.get(name);
  if (!account) {
    account = privateKeyToAccount(privateKeyOf(chainId, position));
    accounts.set(name, account);
  }
  return account;
}

/**
 * Refuses addresses that send our transactions as anything that signs: the ledger takes the sender of a call for its
 * signer, so that a relayer would have a say in whatever it carries.
 *
 * @throws ApiError `invalid_request` naming `param`
 */
export function refuseRelayer(chainId: ChainId, addresses: readonly Address[], param: string): void {
  const positions = [...(chainEnv(chainId).local ? [FAUCET_POSITION] : []), ANCHOR_POSITION, ...relayerPositions()];
  const ours = new Set(positions.map((position) => relayerAccount(chainId, position).address.toLowerCase()));
  if (!addresses.some((address) => ours.has(address.toLowerCase()))) return;
  throw new ApiError("invalid_request", "This address sends the service's transactions. Use another key.", { param });
}
