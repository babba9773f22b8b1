import { type SQL, type SQLWrapper, sql } from "drizzle-orm";

/**
 * Selects the ids of a payment's refunds: those that name it, and the payments that may be one. After a restored backup
 * (lib/settlement/rebuild-lost-payments.ts), a rebuilt refund doesn't name what it gives back. So each rebuilt payment
 * counts that the recipient has made since to the payer, or the payer's owner, in the same asset. Only rebuilt payments
 * have neither an API key nor a client that signed them. Their time is the chain's, in whole seconds: hence the minute.
 *
 * @param transferId the refunded payment
 */
export function refundsOf(transferId: string | SQLWrapper): SQL {
  return sql`select id from transfers where refund_of = ${transferId}
    union all
    select t.id from transfers x
      join account_networks n on n.account_id = x.recipient_root_id and n.chain_id = x.chain_id
        and n.rebuilt_at is not null
      join accounts p on p.id in (x.payer_id, x.payer_root_id)
      join transfers t on t.payer_root_id = x.recipient_root_id and t.chain_id = x.chain_id
        and t.recipient_address = p.address
        and t.created_at > x.created_at - interval '1 minute'
        and t.payer_id = x.recipient_id and t.asset = x.asset and t.kind = 'transfer' and t.refund_of is null
        and t.key_id is null and not t.client_signed
    where x.id = ${transferId}`;
}
