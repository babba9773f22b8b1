import { z } from "zod";
import { isId } from "@/lib/base/ids";
import { PAGE_QUERY } from "@/lib/base/paging";
import { REQUEST_TAG_LENGTH, TAG_VOUCHER_LENGTH } from "@/lib/ledger/crypto/request-tag";
import { hexBytes } from "@/lib/ledger/prepare/document-fields";

const TransferId = z.string().refine((id) => isId("transfer", id), "Name the id of a transfer.");

/** The most tags of one request, whose body stays below 64 KiB. */
export const TAGS_AT_ONCE = 200;

/** The query of `GET /api/request-tags`: tags of payments after the transfer `after`. */
export const WantedTagsQuery = z.strictObject({ after: TransferId.optional(), limit: PAGE_QUERY.limit });
export type WantedTagsQuery = z.infer<typeof WantedTagsQuery>;

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
