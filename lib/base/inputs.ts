import { isAddress } from "viem";
import { z } from "zod";

/** How the API describes the amount of a payment. */
export const AMOUNT_MEANING = "The amount, as a decimal string: up to 6 decimal places for USDG, up to 9 for ETH.";

/** An asset's symbol. */
export const AssetInput = z
  .enum(["USDG", "ETH"], "Name an asset of the service: USDG or ETH.")
  .meta({ description: "Symbol of the asset." });

/** `@handle`, `@owner/agent` or a 0x address. An address in mixed case must carry a valid EIP-55 checksum. */
export const RecipientInput = z
  .string("Name the recipient: an @handle or a 0x address.")
  .max(100, "Name the recipient: an @handle or a 0x address.")
  .refine(
    (to) => /^@[A-Za-z0-9][A-Za-z0-9._-]*(\/[A-Za-z0-9_-]+)?$/.test(to) || /^0x[0-9a-fA-F]{40}$/.test(to),
    "Name the recipient: an @handle or a 0x address.",
  )
  .refine(
    // An address written in a single case carries no checksum (EIP-55).
    (to) => !to.startsWith("0x") || to === to.toLowerCase() || /^0x[0-9A-F]{40}$/.test(to) || isAddress(to),
    "The address fails its checksum (EIP-55). Copy it again from its source.",
  )
  .meta({
    description: "The recipient: an `@handle`, an agent's `@owner/agent` or a 0x address.",
    examples: ["@supplier"],
  });

/**
 * The token of a balance lock (`POST /api/available-balances/lock`). A payment with the token does not wait for the lock
 * to end.
 */
export const LockToken = z.string("A lock token is a text.").max(100, "This is no lock token.").meta({
  description: "The token of the balance lock that your client holds. For payments that your machine builds.",
});

/** What a read returns besides the plain fields: ciphertexts that the owner's client decrypts on its own device. */
export const IncludeQuery = z.enum(["encrypted"], "include is encrypted.").optional().meta({
  description:
    "`encrypted` adds the encrypted copies, which a client decrypts with the account's viewing key or its wallet. Never an amount in clear.",
});

/** A version of the account secret, as clients send it. */
export const SecretVersion = z.int("secret_version counts from 1.").min(1).max(1_000_000);
