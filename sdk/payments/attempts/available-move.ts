import { type Address, isAddressEqual } from "viem";
import { readAvailableCommitment } from "@/lib/ledger/crypto/commitments";
import type { MoneyEvent } from "@/lib/ledger/ledger-events";

/** The available balance commitment that an event replaces, and the new one. */
export interface AvailableMove {
  before: bigint;
  after: bigint;
}

/** Returns what an event does to the available balance of an account, or null if it doesn't change it. */
export function availableMove(event: MoneyEvent, account: Address): AvailableMove | null {
  const is = (address: Address) => isAddressEqual(address, account);
  switch (event.eventName) {
    case "MadeAvailable":
    case "Released":
    case "Transferred":
    case "BatchTransferred": {
      const { args } = event;
      return is(args.account) ? { before: readAvailableCommitment(args.oldAvailable), after: args.newAvailable } : null;
    }
    case "Funded": {
      const { args } = event;
      if (is(args.from))
        return { before: readAvailableCommitment(args.fromOldAvailable), after: args.fromNewAvailable };
      return is(args.to) ? { before: readAvailableCommitment(args.toOldAvailable), after: args.toNewAvailable } : null;
    }
    case "Abandoned": {
      const { args } = event;
      return is(args.account)
        ? { before: readAvailableCommitment(args.oldAvailable), after: readAvailableCommitment(0n) }
        : null;
    }
    // These events come after the one that changed the available balance, or don't change it.
    case "Limited":
    case "Paid":
    case "Deposited":
      return null;
  }
}
