import { base64UrlToBytes, bytesToBase64Url } from "@/lib/ledger/crypto/base64-url";
import { utf8 } from "@/lib/ledger/crypto/bytes";

/** Encodes a value as base64url of its JSON. */
export function toBase64UrlJson(value: unknown): string {
  return bytesToBase64Url(utf8(JSON.stringify(value)));
}

/** Decodes base64url of JSON. Throws for any other text. */
export function fromBase64UrlJson(text: string): unknown {
  const bytes = base64UrlToBytes(text);
  if (!bytes) throw new SyntaxError("This is not base64url.");
  return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
}
