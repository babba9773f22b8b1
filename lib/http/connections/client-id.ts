import { createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { acceptedPeppers, env } from "@/lib/base/env";
import { OauthError } from "./oauth-error";
import { redirectRefusal } from "./redirect-uri";

/** An application as it described itself when it registered. No one has verified its name. */
export interface Client {
  id: string;
  name: string;
  redirectUris: readonly string[];
}

const LONGEST_ID = 3_000;
const MOST_URIS = 10;
export const UNNAMED = "An application without a name";

/**
 * The parts of a registration (RFC 7591) that have an effect here. Only public clients that use authorization codes can
 * be registered, whatever the request asks for; the response says what was registered.
 */
const RegisterClientInput = z.object({
  redirect_uris: z.array(z.string()).min(1).max(MOST_URIS),
  client_name: z.string().max(200).nullish(),
});

/** Characters that hide or reorder text, or that show nothing, except the one that makes a symbol colorful. */
const HIDDEN = /[\p{C}\p{Zl}\p{Zp}\u2800]|(?!\uFE0F)\p{Default_Ignorable_Code_Point}/u;

/** Marks without a letter, and more marks on one letter than any language writes: they run into the lines around. */
const STACKED = /^\p{M}|\p{M}{4}/u;

/**
 * Validates a name, which is shown to the person who decides: one line of text that can be read.
 *
 * @throws OauthError `invalid_client_metadata`
 */
export function cleanName(given: string | null | undefined): string {
  const name = (given ?? "").normalize("NFC").trim();
  if (name === "") return UNNAMED;
  if (name.length > 60 || HIDDEN.test(name) || STACKED.test(name)) {
    throw new OauthError("invalid_client_metadata", "client_name is one line of at most 60 visible characters.");
  }
  return name;
}

/**
 * Registers an application with those of its redirect URIs that can be used (RFC 7591, 3.2.1): some also name a scheme
 * of their own, which another program can claim. Nothing is stored: the id contains what was registered and a MAC. So no one can fill a
 * table, and every process knows every client (RFC 7591, appendix A.5.2).
 *
 * @throws OauthError `invalid_client_metadata`, `invalid_redirect_uri`
 */
export function registerClient(body: unknown): Client {
  const parsed = RegisterClientInput.safeParse(body);
  if (!parsed.success) {
    throw new OauthError(
      "invalid_client_metadata",
      `Send a JSON object with redirect_uris: 1 to ${MOST_URIS} addresses.`,
    );
  }
  const { client_name, redirect_uris } = parsed.data;
  const usable = redirect_uris.filter((uri) => redirectRefusal(uri) === null);
  if (usable.length === 0) {
    const [first = ""] = redirect_uris;
    throw new OauthError("invalid_redirect_uri", `No redirect URI can be used. The first ${redirectRefusal(first)}.`);
  }
  const name = cleanName(client_name);
  const text = Buffer.from(JSON.stringify([name, usable])).toString("base64url");
  const id = `${text}.${macOf(env().serverPepper, text).toString("base64url")}`;
  if (id.length > LONGEST_ID) throw new OauthError("invalid_redirect_uri", "Register fewer or shorter redirect URIs.");
  return { id, name, redirectUris: usable };
}

/** Returns the application of an id that this service issued; null for any other text. */
export function readClientId(id: string): Client | null {
  const [text = "", mac = "", ...rest] = id.split(".");
  if (id.length > LONGEST_ID || rest.length > 0) return null;
  const given = Buffer.from(mac, "base64url");
  const isOurs = (pepper: Uint8Array) => {
    const wanted = macOf(pepper, text);
    return wanted.length === given.length && timingSafeEqual(wanted, given);
  };
  if (!acceptedPeppers().some(isOurs)) return null;
  // Refuse other encodings of the same MAC: the id's hash is compared later.
  if (given.toString("base64url") !== mac) return null;
  const [name, redirectUris] = JSON.parse(Buffer.from(text, "base64url").toString()) as [string, string[]];
  return { id, name, redirectUris };
}

function macOf(pepper: Uint8Array, text: string): Buffer {
  return createHmac("sha256", pepper).update("oauth client\n").update(text).digest();
}
