import { z } from "zod";
import { MAX_ADDRESSES, normaliseRange } from "@/lib/accounts/keys/allowed-addresses";
import { isId } from "@/lib/base/ids";
import { SecretVersion } from "@/lib/base/inputs";
import { KEY_SCOPES } from "@/lib/base/key-scopes";
import { InstantInput, optionalPageQuery } from "@/lib/base/paging";
import { AEAD_OVERHEAD } from "@/lib/ledger/crypto/aead";
import { KEY_WRAP_LENGTH } from "@/lib/ledger/encrypted/api-key";
import { ACCESS_WRAP_LENGTH } from "@/lib/ledger/encrypted/blind-key";
import { hexBytes } from "@/lib/ledger/prepare/document-fields";

const FLAG_WRAP_LENGTH = 32 + AEAD_OVERHEAD;
/** Room for the assets that a home wrap names. */
const HOME_WRAP_LENGTHS = [256, 4_096] as const;

const RangeInput = z.string("Write each address as text.").transform((text, ctx) => {
  const range = normaliseRange(text);
  if (range !== null) return range;
  ctx.addIssue({ code: "custom", message: "Write an IP address or a range, such as 203.0.113.0/24." });
  return z.NEVER;
});

/**
 * The body of `POST /api/keys`. The key's text stays on the client, which sends its hash, its encrypted secrets, and
 * what may be shown of it. In strict mode, and with scopes that don't need the account secret, `wrap` is absent, and in a
 * blind key `blind` takes its place. Without `scopes`, the key can do everything.
 */
export const CreateKeyInput = z.strictObject({
  label: z
    .string("Name the key.")
    .trim()
    .min(1, "Name the key.")
    .max(80, "A label has at most 80 characters.")
    .refine((label) => !/[\p{Cc}\p{Surrogate}]/u.test(label), "A label is one line of well-formed text."),
  key_hash: hexBytes(32),
  prefix: z.enum(["hc_test_", "hc_live_"], "prefix is hc_test_ or hc_live_."),
  last_four: z.string().regex(/^[0-9A-Za-z]{4}$/, "last_four are the last four characters of the key."),
  wrap: hexBytes(KEY_WRAP_LENGTH).nullish(),
  flag_wrap: hexBytes(FLAG_WRAP_LENGTH),
  /** What makes the key a blind one, in place of `wrap`. */
  blind: z
    .strictObject({
      request_key: hexBytes(32),
      access_wrap: hexBytes(ACCESS_WRAP_LENGTH),
      home_wrap: hexBytes(...HOME_WRAP_LENGTHS),
    })
    .optional(),
  secret_version: SecretVersion,
  expires_at: InstantInput.optional(),
  scopes: z
    .array(z.enum(KEY_SCOPES, `A scope is one of ${KEY_SCOPES.join(", ")}.`), "scopes is a list.")
    .min(1, "Name at least one scope, or leave scopes out.")
    .max(KEY_SCOPES.length, "Name each scope once.")
    .refine((scopes) => new Set(scopes).size === scopes.length, "Name each scope once.")
    .optional(),
  /** The only schedule whose runs the key pays. */
  schedule: z
    .string()
    .refine((id) => isId("schedule", id), "schedule is the id of a schedule.")
    .optional(),
  allowed_ips: z
    .array(RangeInput, "allowed_ips is a list.")
    .min(1, "Name an address, or leave allowed_ips out.")
    .max(MAX_ADDRESSES, `An allow-list has at most ${MAX_ADDRESSES} entries.`)
    .optional(),
});

export type CreateKeyInput = z.infer<typeof CreateKeyInput>;

/** The query of `GET /api/keys`. */
export const ListKeysQuery = z.strictObject(optionalPageQuery("key"));

/** The query of `GET /api/keys/{id}/usage`. */
export const KeyUsageQuery = z.strictObject({
  days: z
    .string()
    .regex(/^[1-9]\d{0,2}$/, "days lies between 1 and 366.")
    .transform(Number)
    .refine((days) => days <= 366, "days lies between 1 and 366.")
    .default(30),
});
