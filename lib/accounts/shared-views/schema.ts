import { z } from "zod";
import { optionalPageQuery } from "@/lib/base/paging";
import { MAX_ENCRYPTED_SHARED_VIEW } from "@/lib/ledger/shared-view/encrypt-shared-view";

/** The query of `GET /api/shared-views`. */
export const ListSharedViewsQuery = z.strictObject(optionalPageQuery("view"));

/** The longest time for which a view is stored, in days. */
export const LONGEST_SHARED_VIEW_DAYS = 366;

/** The body of `POST /api/shared-views`: a view, encrypted on the owner's device. */
export const CreateSharedViewInput = z.strictObject({
  label: z
    .string("Name the view.")
    .trim()
    .min(1, "Name the view.")
    .max(80, "A label has at most 80 characters.")
    .refine((label) => !/[\p{Cc}\p{Surrogate}]/u.test(label), "A label is one line of well-formed text."),
  /** In whole seconds, because the ciphertext is bound to this time. */
  expires_at: z.iso
    .datetime("expires_at is a time in UTC, such as 2026-12-31T00:00:00Z.")
    .transform((text) => new Date(text))
    .refine((time) => time.getTime() % 1000 === 0, "expires_at has whole seconds."),
  /** Base64. */
  encrypted: z
    .base64("The encrypted view is base64.")
    .min(64, "The encrypted view is too short.")
    .max(Math.ceil(MAX_ENCRYPTED_SHARED_VIEW / 3) * 4, "The view is too large. Choose a shorter period."),
});
export type CreateSharedViewInput = z.infer<typeof CreateSharedViewInput>;
