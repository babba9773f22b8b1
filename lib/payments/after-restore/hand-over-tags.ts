import { sql } from "drizzle-orm";
import { z } from "zod";
import { db } from "@/db/client";
import { requireOwner } from "@/lib/agents/require-owner";
import type { SessionContext } from "@/lib/base/context/context";
import { isId } from "@/lib/base/ids";
import { fromHex } from "@/lib/ledger/crypto/bytes";
import { REQUEST_TAG_LENGTH, TAG_VOUCHER_LENGTH } from "@/lib/ledger/crypto/request-tag";
import { hexBytes } from "@/lib/ledger/prepare/document-fields";

/** The id of a transfer. */
export const TransferId = z.string().refine((id) => isId("transfer", id), "Name the id of a transfer.");

/** The most tags of one request, whose body stays below 64 KiB. */
const TAGS_AT_ONCE = 200;

/** The body of `POST /api/request-tags`: tags that the owner's client has read on chain, each with its voucher. */
export const HandOverTagsInput = z.strictObject({
  tags: z
    .array(
      z.strictObject({
        transfer_id: TransferId,
        tag: hexBytes(REQUEST_TAG_LENGTH),
        voucher: hexBytes(TAG_VOUCHER_LENGTH),
      }),
    )
    .max(TAGS_AT_ONCE, `Send up to ${TAGS_AT_ONCE} at a time.`),
});
export type HandOverTagsInput = z.infer<typeof HandOverTagsInput>;

const bytes = (hex: string) => Buffer.from(fromHex(hex));

/**
 * Stores tags that the owner's client has read in its copies of rebuilt payments. Leaves out payments of other
 * accounts, and payments that were not rebuilt. A tag's voucher can be checked only when a request brings the payer's
 * secret; until then no tag lets a key pay.
 *
 * @returns how many were stored
 */
export async function handOverTags(ctx: SessionContext, { tags }: HandOverTagsInput): Promise<{ handedOver: number }> {
  requireOwner(ctx);
  if (tags.length === 0) return { handedOver: 0 };
  const values = tags.map(
    ({ transfer_id, tag, voucher }) => sql`(${transfer_id}::text, ${bytes(tag)}::bytea, ${bytes(voucher)}::bytea)`,
  );
  const kept = await db().execute(sql`
    update rebuilt_payments r set tag = v.tag, voucher = v.voucher
    from (values ${sql.join(values, sql`, `)}) as v(id, tag, voucher)
    where r.transfer_id = v.id and r.root_id = ${ctx.account.id} and r.chain_id = ${ctx.chainId}
    returning r.transfer_id`);
  return { handedOver: kept.length };
}
