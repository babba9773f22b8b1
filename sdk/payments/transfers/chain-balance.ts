import type { Address } from "viem";
import { newHistory, spendableNotes } from "@/lib/ledger/history/account-history";
import { findAgent } from "../../account/agents";
import { HalcyonError } from "../../api/errors";
import type { Asset } from "../../api/network-info";
import { readOn } from "../../chain/recover-scan";
import type { Context } from "../../context/context";
import { asDecryptedBalance } from "./as-decrypted-balance";
import type { DecryptedBalance } from "./decrypted-balance";

/**
 * Reads the balance of the account or one of its agents in an asset from the ledger's events alone. The payer's copies,
 * which the viewing key decrypts, contain each new available balance. The service stores that balance under the account
 * secret, which a viewing key does not include.
 *
 * @throws HalcyonError `not_agent_owner`; `unavailable` when the newest copy can't be decrypted
 */
export async function chainBalance(context: Context, asset: Asset, agent?: string): Promise<DecryptedBalance> {
  const [scope, chain, viewer] = await Promise.all([context.scope(), context.chain(), context.viewer()]);
  const address: Address = agent === undefined ? viewer.account : (await findAgent(context, agent)).public_key;
  const { owner, enrolledBlock } = await chain.account(address);
  if (agent !== undefined && owner.toLowerCase() !== viewer.account) {
    throw new HalcyonError("not_agent_owner", `The ledger does not have ${agent} as an agent of this account.`);
  }
  const holder = { address, history: newHistory(), nextBlock: enrolledBlock };
  await readOn(chain, scope, viewer.viewingKey.secret, holder);
  const held = holder.history.assets.get(asset.address);
  const notes = held ? spendableNotes(held) : [];
  const budget = held ? held.budget : { limit: 0n };
  if (!budget) {
    throw new HalcyonError(
      "unavailable",
      "The viewing key can't decrypt the available balance. The owner's wallet shows more: `balances.decrypt`.",
    );
  }
  const open = held ? [...held.notes.values()].filter(({ spent }) => !spent).length : 0;
  const credit = held?.credit ?? 0n;
  return asDecryptedBalance(asset, { budget, credit, notes, has_more: false, unreadable: open - notes.length });
}
