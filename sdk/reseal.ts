import { sealBudgetState } from "@/lib/ledger/budget-state";
import { toHex } from "@/lib/ledger/bytes";
import { EMPTY_BUDGET, EMPTY_BUDGET_OPENING, readBudgetWord } from "@/lib/ledger/commitments";
import { wordToHex } from "@/lib/ledger/field";
import { foldHistory } from "@/lib/ledger/history";
import type { Context } from "./context";
import { HalcyonError } from "./errors";
import { moneyEvents } from "./ledger-events";
import type { Asset } from "./network-info";

/**
 * Hands the service a fresh sealed state of a budget that was changed without it (a recovery, another client): the
 * opening is found in the account's own events on chain. Payments of the asset wait for this.
 */
export async function reseal(context: Context, asset: Asset): Promise<void> {
  const [session, scope, vault, chain, info] = await Promise.all([
    context.session(),
    context.scope(),
    context.vault(),
    context.chain(),
    context.info(),
  ]);
  const account = context.wallet.address;
  const newest = await chain.client.getBlockNumber();
  const events = await moneyEvents(chain.client, chain.ledger, account, info.ledgerBlock, newest);
  const history = await foldHistory(scope, account, vault.viewingKey.secret, events);
  const held = history.assets.get(asset.address) ?? { budgetWord: EMPTY_BUDGET, budget: EMPTY_BUDGET_OPENING };
  const commitment = readBudgetWord(await chain.budgetOf(account, asset.address));
  if (!held.budget || held.budgetWord !== commitment) {
    throw new HalcyonError(
      "reseal_required",
      "The budget on chain was changed by somebody whose ciphertext does not open. It has to be abandoned.",
    );
  }
  const state = sealBudgetState(vault.secret, { scope, account, asset: asset.address, commitment }, held.budget);
  await session.post("/api/budgets/reseal", {
    asset: asset.symbol,
    word: wordToHex(commitment),
    sealed: toHex(state.sealed),
    flag: toHex(state.flag),
  });
}
