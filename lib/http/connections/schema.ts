import { z } from "zod";
import { CreateKeyInput } from "@/lib/accounts/keys/schema";
import { optionalPageQuery } from "@/lib/base/paging";
import { ENCRYPTED_TOKEN_LENGTH } from "@/lib/ledger/encrypted/connection-code";
import { CONNECTION_MS, type ConnectionTime } from "@/lib/ledger/prepare/consent";
import { hexBytes } from "@/lib/ledger/prepare/document-fields";
import { MAX_SIGNATURE_LENGTH } from "@/lib/ledger/prepare/signature";

const { key_hash, prefix, last_four, wrap, flag_wrap, secret_version } = CreateKeyInput.shape;

/**
 * The body of `POST /api/connections`. `request` is the application's authorization request, as its link has it. The
 * owner's browser adds the rest: an access token in the form of an API key, encrypted under a code that only the
 * application gets, and the wallet's signature.
 */
export const CreateConnectionInput = z.strictObject({
  request: z.record(z.string().max(100), z.string().max(4_096)),
  key_hash,
  prefix,
  last_four,
  wrap,
  flag_wrap,
  secret_version,
  lasts: z.enum(Object.keys(CONNECTION_MS) as [ConnectionTime, ...ConnectionTime[]]),
  code_hash: hexBytes(32),
  encrypted_token: hexBytes(ENCRYPTED_TOKEN_LENGTH),
  signature: hexBytes(1, MAX_SIGNATURE_LENGTH),
});

export type CreateConnectionInput = z.infer<typeof CreateConnectionInput>;

/** The query of `GET /api/connections`. */
export const ListConnectionsQuery = z.strictObject(optionalPageQuery("connection"));

const Text = z.string().max(4_096);

/** The parameters of the token endpoint (RFC 6749, 4.1.3; RFC 8707, 2.2). */
export const TokenInput = z.object({
  grant_type: Text,
  code: Text.default(""),
  redirect_uri: Text.default(""),
  client_id: Text.default(""),
  code_verifier: Text.default(""),
  resource: Text.default(""),
});

export type TokenInput = z.infer<typeof TokenInput>;

/** The parameters of the revocation endpoint (RFC 7009, 2.1). */
export const RevocationInput = z.object({ token: Text, client_id: Text });
