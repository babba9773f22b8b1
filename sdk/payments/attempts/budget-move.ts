import { type Address, isAddressEqual } from "viem";
import { readBudgetWord } from "@/lib/ledger/crypto/commitments";
import type { MoneyEvent } from "@/lib/ledger/ledger-events";

/** The budget word that an event replaces, and the new one. */
export interface BudgetMove {
  before: bigint;
  after: bigint;
}

/** Returns what an event does to the budget of an account, or null if it doesn't change it. */
export function budgetMove(event: MoneyEvent, account: Address): BudgetMove | null {
  const is = (address: Address) => isAddressEqual(address, account);
  switch (event.eventName) {
    case "Allocated":
    case "Released":
    case "Transferred":
    case "BatchTransferred": {
      const { args } = event;
      return is(args.account) ? { before: readBudgetWord(args.oldBudget), after: args.newBudget } : null;
    }
    case "Funded": {
      const { args } = event;
      if (is(args.from)) return { before: readBudgetWord(args.fromOldBudget), after: args.fromNewBudget };
      return is(args.to) ? { before: readBudgetWord(args.toOldBudget), after: args.toNewBudget } : null;
    }
    case "Abandoned": {
      const { args } = event;
      return is(args.account) ? { before: readBudgetWord(args.oldBudget), after: readBudgetWord(0n) } : null;
    }
    // These events come after the one that changed the budget, or don't change it.
    case "Limited":
    case "Paid":
    case "Deposited":
      return null;
  }
}
