import type { Address, Hex } from "viem";

/** Where an event stands on chain. */
export interface EventPosition {
  blockNumber: bigint;
  logIndex: number;
  transactionHash: Hex;
}

/** The ledger events that move money, as viem decodes them. Others of the ledger do not concern a history. */
export type MoneyEvent = EventPosition &
  (
    | { eventName: "Deposited"; args: { account: Address; asset: Address; units: bigint } }
    | { eventName: "Abandoned"; args: { account: Address; asset: Address; oldBudget: bigint } }
    | {
        eventName: "Allocated";
        args: {
          account: Address;
          asset: Address;
          oldBudget: bigint;
          newBudget: bigint;
          notes: readonly bigint[];
          credit: bigint;
          changeNote: bigint;
          ciphertext: Hex;
        };
      }
    | {
        eventName: "Transferred";
        args: {
          account: Address;
          to: Address;
          asset: Address;
          oldBudget: bigint;
          newBudget: bigint;
          note: bigint;
          recipientCiphertext: Hex;
          payerCiphertext: Hex;
        };
      }
    | {
        eventName: "Released";
        args: {
          account: Address;
          to: Address;
          asset: Address;
          oldBudget: bigint;
          newBudget: bigint;
          amount: bigint;
          payerCiphertext: Hex;
        };
      }
    | {
        eventName: "Funded";
        args: {
          from: Address;
          to: Address;
          asset: Address;
          fromOldBudget: bigint;
          fromNewBudget: bigint;
          toOldBudget: bigint;
          toNewBudget: bigint;
          fromCiphertext: Hex;
          toCiphertext: Hex;
        };
      }
  );
