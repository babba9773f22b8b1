import { type Address, encodeFunctionData, type Hex, isAddress, zeroAddress } from "viem";
import { ledgerAbi } from "@/lib/chain/abi/ledger";
import { HalcyonError } from "../api/errors";
import { Chain } from "../chain/chain";
import type { Wallet } from "../chain/wallet";
import { sendFromWallet } from "../funding/deposit";
import { lastVersionOf, openOwnRoot, spenderUntilFrom, vaultOf } from "../vault/vault";
import { findSealedRoot, findSpenders } from "./recover-scan";

/** Where the chain is, and whether a new spender takes the old one's place. */
export interface StopSpenderInput {
  /** JSON-RPC address of the chain. */
  rpc: string;
  /** Address of the ledger contract. */
  ledger: string;
  /** Puts the spender of the next version of the budget secret there, instead of none. */
  replace?: boolean;
}

/** What the ledger has now. */
export interface StoppedSpender {
  account: Address;
  /** Null: nobody but the wallet itself may sign for the account. */
  spender: Address | null;
  tx_hash: Hex;
}

/** The spender of the first version that was never in force: the chain shows all that were. */
async function nextSpender(chain: Chain, wallet: Wallet): Promise<Address> {
  const { enrolledBlock: from } = await chain.account(wallet.address);
  const [scope, sealed] = await Promise.all([chain.scope(), findSealedRoot(chain, wallet.address, from)]);
  const root = await openOwnRoot(wallet, scope, sealed);
  const last = lastVersionOf(root, scope, await findSpenders(chain, wallet.address, from));
  const { spender } = vaultOf(root, scope, last + 1);
  root.fill(0);
  return spender.address;
}

/**
 * Ends the spender of the wallet's account at once, by the wallet's own transaction: no service takes part, and nothing has to
 * open. Nobody who learnt the budget secret can sign for the account any more, nor can its API keys. Budgets of agents stay
 * within reach of the agents' own wallets: `rotateBudgetSecret` or `recover` end that.
 *
 * @example
 * await halcyon.stopSpender({ rpc: "http://127.0.0.1:28545", ledger: "0x…" });
 * // { account: "0x…", spender: null, tx_hash: "0x…" }
 * @throws HalcyonError `not_found` for a wallet that is not enrolled there
 */
export async function stopSpender(wallet: Wallet, input: StopSpenderInput): Promise<StoppedSpender> {
  if (!isAddress(input.ledger, { strict: false })) {
    throw new HalcyonError("invalid_request", "--ledger is not an address: 0x and 40 hex digits.");
  }
  const chain = new Chain(input.rpc, input.ledger.toLowerCase() as Address);
  const account = wallet.address;
  if (!(await chain.viewingKey(account))) {
    throw new HalcyonError(
      "not_found",
      "This wallet is not enrolled on that ledger. Check --ledger and the wallet key.",
    );
  }
  const spender = input.replace ? await nextSpender(chain, wallet) : zeroAddress;
  const until = input.replace ? spenderUntilFrom() : 0n;
  const args = [account, spender, until, await chain.deadline(), "0x"] as const;
  const data = encodeFunctionData({ abi: ledgerAbi, functionName: "setSpender", args });
  const tx_hash = await sendFromWallet(chain, wallet, { to: chain.ledger, data });
  return { account, spender: input.replace ? spender : null, tx_hash };
}
