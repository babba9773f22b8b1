import { sql } from "drizzle-orm";
import { index, integer, pgTable, text } from "drizzle-orm/pg-core";
import { hex, instant } from "./columns";
import { transfers } from "./transfers";

/**
 * Public payments to sellers of the scheme `exact`. Each went to a one-time address that has signed two authorizations
 * (EIP-3009): to the seller until `validBefore`, and back to the owner's wallet after that. The table has neither the
 * address's key nor an amount, which is in the operation's call and on chain.
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
    signature: hex("signature").notNull(), // authorizes only the payment to the seller
    returnSignature: hex("return_signature").notNull(), // authorizes only the return to the owner
    // `open` until its time is over and a final block shows the outcome. `void`: the payment failed, so the address was
    // empty.
    status: text("status", { enum: ["open", "taken", "returned", "void"] }).notNull(),
    returnOperationId: text("return_operation_id"),
  },
  (t) => [index("exact_payments_open").on(t.validBefore).where(sql`${t.status} = 'open'`)],
);
