import { randomBytes } from "node:crypto";
import { eq } from "drizzle-orm";
import type { Hex } from "viem";
import { db } from "@/db/client";
import { accounts, ledgerAccounts } from "@/db/schema/accounts";
import { operations } from "@/db/schema/chain";
import { availableStates } from "@/db/schema/ledger";
import { transfers } from "@/db/schema/transfers";
import { newId } from "@/lib/base/ids";
import type { ChainId } from "@/lib/base/network";
import type { LedgerEvent } from "@/lib/ledger/ledger-events";
import { applyEvents } from "@/lib/settlement/apply-events";

export const CHAIN: ChainId = 46630;
export const ASSET: Hex = `0x${"a5".repeat(20)}`;
const RELAYER: Hex = `0x${"7e".repeat(20)}`;

const hex = (bytes: number): Hex => `0x${randomBytes(bytes).toString("hex")}`;
/** Returns a commitment below the field's order. */
export const newCommitment = (): Hex => `0x00${randomBytes(31).toString("hex")}`;

export interface Party {
  id: string;
  address: Hex;
}

/** Inserts an account with its record on the ledger; with `owner`, an agent. */
export async function newParty(owner?: Party): Promise<Party> {
  const party = { id: newId("account"), address: hex(20) };
  const type = owner ? ("agent" as const) : ("personal" as const);
  const belongs = owner ? { ownerId: owner.id, chainId: CHAIN } : {};
  await db()
    .insert(accounts)
    .values({ ...party, handle: party.id.toLowerCase(), type, ...belongs, createdAt: new Date() });
  await db()
    .insert(ledgerAccounts)
    .values({
      chainId: CHAIN,
      address: party.address,
      viewingKey: hex(32),
      signer: owner ? party.address : hex(20),
      until: 1n << 39n,
      owner: owner?.address ?? null,
      limited: owner !== undefined,
      enrolledBlock: 1n,
    });
  return party;
}

/** What one payment of an operation pays, and how it is identified. */
export type Paid = { to: Party } & ({ note: Hex } | { paymentId: Hex });

interface NewPayment {
  payer: Party;
  paid: readonly Paid[];
  oldCommitment: Hex;
  newCommitment: Hex;
  policyVersion?: bigint;
  status?: "pending" | "failed";
}

/**
 * Inserts a payment that the service has sent: operation, transfers and the resulting state. Returns the operation's
 * id.
 */
export async function newPayment(payment: NewPayment): Promise<string> {
  const { payer, paid, oldCommitment, newCommitment: commitment, policyVersion = null, status = "pending" } = payment;
  const operationId = newId("operation");
  const [createdAt, common] = [new Date(), { chainId: CHAIN, status }];
  const isPublic = "paymentId" in (paid[0] as Paid);
  const kind = paid.length > 1 ? "transfer_many" : isPublic ? "spend_public" : "spend";
  const call = { account: payer.address, target: RELAYER, data: "0x", gas: 0n, relayer: RELAYER } as const;
  const deadline = new Date(Date.now() + 3_600_000);
  await db()
    .insert(operations)
    .values({ ...common, id: operationId, kind, ...call, deadline, policyVersion, createdAt });
  await db()
    .insert(transfers)
    .values(
      paid.map(({ to, ...known }, index) => ({
        ...common,
        ...known,
        id: newId("transfer"),
        kind: isPublic ? ("release" as const) : ("transfer" as const),
        payerId: payer.id,
        payerRootId: payer.id,
        recipientId: to.id,
        recipientRootId: to.id,
        recipientAddress: to.address,
        to: to.address,
        asset: ASSET,
        oldCommitment,
        newCommitment: commitment,
        batchIndex: paid.length > 1 ? index : null,
        payerCiphertext: "0x" as const,
        operationId,
        txHash: hex(32),
        createdAt,
        clientSigned: false,
      })),
    );
  await db()
    .insert(availableStates)
    .values({
      chainId: CHAIN,
      account: payer.address,
      asset: ASSET,
      oldCommitment,
      commitment,
      encrypted: "0x",
      flag: "0x",
      secretVersion: 1,
      status: status === "failed" ? "void" : "pending",
      operationId,
      createdAt,
    });
  return operationId;
}

let logIndex = 0;
/** Returns the position of the next event. Events of one transaction share `transactionHash`. */
export const place = (transactionHash: Hex = hex(32)) => ({ blockNumber: 10n, logIndex: logIndex++, transactionHash });

/** Applies final events in one transaction, as the index does. */
export function apply(events: readonly LedgerEvent[]): Promise<string[]> {
  return db().transaction((tx) => applyEvents(tx, CHAIN, events, new Date()));
}

/** Returns the event of a public payment. */
export const released = (
  payer: Party,
  to: Party,
  paymentId: Hex,
  [oldAvailable, newAvailable]: [Hex, Hex],
  amount = 5n,
): LedgerEvent => ({
  ...place(),
  eventName: "Released",
  args: {
    account: payer.address,
    to: to.address,
    asset: ASSET,
    oldAvailable: BigInt(oldAvailable),
    newAvailable: BigInt(newAvailable),
    amount,
    paymentId,
    payerCiphertext: "0x",
  },
});

/** Returns the status of an operation and of its transfers. */
export async function statusOf(id: string) {
  const [operation] = await db().select().from(operations).where(eq(operations.id, id));
  const rows = await db().select().from(transfers).where(eq(transfers.operationId, id));
  return [operation?.status, ...new Set(rows.map(({ status }) => status))];
}
