import { sql } from "drizzle-orm";

/**
 * Whether a row `p` of `ledger_payments` is the payment of the transfer `t`, whose payer is the account `a`. The new
 * available balance commitment alone doesn't identify the payment. The salt of an available balance under a policy is
 * derived from the one before, so two public payments from one commitment result in the same commitment, even with
 * different recipients. A payment id alone isn't enough either, because it doesn't cover the amount.
 */
export const isSamePayment = sql.raw(`(
  p.chain_id = t.chain_id and p.payer = a.address and p.known_by = coalesce(t.note, t.payment_id) and p.kind = t.kind
  and p.asset = t.asset and p.recipient = t.recipient_address and p.new_commitment = t.new_commitment)`);

/**
 * Whether another operation made the payment of the transfer `t`. A payment that was retried has several transfers, but
 * happened only once.
 */
export const hasConfirmedTwin = sql.raw(`exists (
  select from transfers twin
  where (twin.note = t.note or twin.payment_id = t.payment_id) and twin.operation_id <> t.operation_id
    and twin.status = 'confirmed' and twin.chain_id = t.chain_id and twin.payer_id = t.payer_id and twin.kind = t.kind
    and twin.asset = t.asset and twin.recipient_address = t.recipient_address and twin.new_commitment = t.new_commitment)`);
