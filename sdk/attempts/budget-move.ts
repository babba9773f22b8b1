import { type Address, isAddressEqual } from "viem";
import { readBudgetWord } from "@/lib/ledger/crypto/commitments";
import type { MoneyEvent } from "@/lib/ledger/ledger-events";

/** The budget word an event replaces and the one it leaves. */
export interface BudgetMove {
  before: bigint;
  after: bigint;
}

/** What an event does to the budget of one account; null when it moves none of it. */
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
    // The event before it has moved the budget, or none has been moved.
    case "Ruled":
    case "Paid":
    case "Deposited":
      return null;
  }
}
