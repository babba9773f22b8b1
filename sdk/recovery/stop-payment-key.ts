import { type Address, encodeFunctionData, type Hex, isAddress, zeroAddress } from "viem";
import { ledgerAbi } from "@/lib/chain/abi/ledger";
import type { Call } from "../api/call";
import { HalcyonError } from "../api/errors";
import { httpAddress } from "../api/http-address";
import { Chain } from "../chain/chain";
import { findEncryptedAccountKey, findPaymentKeys } from "../chain/recover-scan";
import type { Wallet } from "../chain/wallet";
import { decryptOwnAccountKey, lastVersionOf, paymentKeyUntilFrom, vaultOf } from "../context/vault/vault";
import { sendFromWallet } from "../payments/funding/deposit";

/** The input for stopping the payment key. */
export interface StopPaymentKeyInput {
  /** JSON-RPC address of the chain. */
  rpc: string;
  /** Address of the ledger contract. */
  ledger: string;
  /** Registers the payment key of the next account secret instead of none. */
  replace?: boolean | undefined;
}

/** The ledger's state afterwards. */
export interface StoppedPaymentKey {
  account: Address;
  /** Null: only the wallet itself may sign for the account. */
  payment_key: Address | null;
  tx_hash: Hex;
}

/** Returns the payment key of the first version that was never in force. The chain shows all that were. */
async function nextPaymentKey(chain: Chain, wallet: Wallet, recoveryCode?: string): Promise<Address> {
  const { enrolledBlock: from } = await chain.account(wallet.address);
  const [scope, encrypted] = await Promise.all([chain.scope(), findEncryptedAccountKey(chain, wallet.address, from)]);
  const accountKey = await decryptOwnAccountKey(wallet, scope, encrypted, recoveryCode);
  const last = lastVersionOf(accountKey, scope, await findPaymentKeys(chain, wallet.address, from));
  const { paymentKey } = vaultOf(accountKey, scope, last + 1);
  accountKey.fill(0);
  return paymentKey.address;
}

/**
 * Ends the payment key of the wallet's account at once, with the wallet's own transaction. Works without the
 * service, and decrypts nothing. Someone who learned the account secret can't sign for the account any more, and
 * neither can its API keys. Agents' own signing keys, which the account secret decrypts, can still pay from the agents'
 * balances: `security.rotateAccountSecret` or `recovery.run` ends that.
 *
 * @example
 * await halcyon.security.stopPaymentKey({ rpc: "http://127.0.0.1:28545", ledger: "0x…" });
 * // { account: "0x…", payment_key: null, tx_hash: "0x…" }
 * @throws HalcyonError `not_found` when the wallet is not enrolled on that ledger
 */
export async function stopPaymentKey(
  wallet: Wallet,
  input: StopPaymentKeyInput,
  call?: Call,
  recoveryCode?: string,
): Promise<StoppedPaymentKey> {
  if (!isAddress(input.ledger, { strict: false })) {
    throw new HalcyonError("invalid_request", "ledger is not an address: 0x and 40 hex digits.", { param: "ledger" });
  }
  const chain = new Chain(httpAddress("rpc", input.rpc), input.ledger.toLowerCase() as Address, undefined, call);
  const account = wallet.address;
  if (!(await chain.viewingKey(account))) {
    throw new HalcyonError(
      "not_found",
      "This wallet is not enrolled on that ledger. Check the ledger and the wallet key.",
    );
  }
  const paymentKey = input.replace ? await nextPaymentKey(chain, wallet, recoveryCode) : zeroAddress;
  const until = input.replace ? paymentKeyUntilFrom() : 0n;
  const args = [account, paymentKey, until, await chain.deadline(), "0x"] as const;
  const data = encodeFunctionData({ abi: ledgerAbi, functionName: "setPaymentKey", args });
  const tx_hash = await sendFromWallet(chain, wallet, { to: chain.ledger, data });
  return { account, payment_key: input.replace ? paymentKey : null, tx_hash };
}
