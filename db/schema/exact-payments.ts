import { sql } from "drizzle-orm";
import { index, integer, pgTable, text } from "drizzle-orm/pg-core";
import { hex, instant } from "./columns";
import { transfers } from "./transfers";

/**
 * Public payments to sellers of the scheme `exact`: each went to a one-time address, which has signed two authorizations
 * (EIP-3009): of the seller until `validBefore`, and back to the owner's wallet from then on. No key of such an address,
 * and no amount: the operation's call has it, as the chain does.
 */
export const exactPayments = pgTable(
  "exact_payments",
  {
    transferId: text("transfer_id")
      .primaryKey()
      .references(() => transfers.id, { onDelete: "cascade" }),
    chainId: integer("chain_id").notNull(),
    seller: hex("seller").notNull(),
    returnTo: hex("return_to").notNull(), // the owner's wallet
    validBefore: instant("valid_before").notNull(),
    signature: hex("signature").notNull(), // pays the seller, and no one else
    returnSignature: hex("return_signature").notNull(), // pays the owner, and no one else
    // `open` until its time is over and a final block shows which. `void`: the payment failed, nothing was there.
    status: text("status", { enum: ["open", "taken", "returned", "void"] }).notNull(),
    returnOperationId: text("return_operation_id"),
  },
  (t) => [index("exact_payments_open").on(t.validBefore).where(sql`${t.status} = 'open'`)],
);
